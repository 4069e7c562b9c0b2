"""Results and explanations for notebooks, in light and dark."""

from __future__ import annotations

from html import escape as escape
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ._evaluate import Evaluation
    from ._results import Explanation, Result

_CELL = "text-align:left;padding:2px 12px 2px 0;vertical-align:top"
_DIM = "opacity:.65;font-size:90%"


def _value(value: Any) -> str:
    if isinstance(value, float):
        return f"{value:.4f}"
    text = "" if value is None else str(value)
    return escape(text if len(text) <= 200 else text[:199] + "…")


def _table(names: list[str], rows: list[tuple[Any, ...]]) -> str:
    head = "".join(f'<th style="{_CELL}">{escape(name)}</th>' for name in names)
    body = "".join(
        "<tr>" + "".join(f'<td style="{_CELL}">{_value(value)}</td>' for value in row) + "</tr>"
        for row in rows
    )
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def result(found: Result, head: list[tuple[Any, ...]]) -> str:
    """A table of results: its first rows, then what there is to report."""
    said = [f"{len(found):,} rows" + (f", of which {len(head)} are shown" if len(head) < len(found) else "")]
    report = found.report
    if report.threshold is not None and report.threshold.chosen != "unneeded":
        said.append(f"threshold {report.threshold.min:g} ({report.threshold.chosen}) {report.threshold.reading}")
    said += report.notes
    foot = "".join(f'<div style="{_DIM}">{escape(line)}</div>' for line in said)
    return f"<div>{_table(found.columns, head)}{foot}</div>"


def _highlighted(pieces: list[tuple[str, float]]) -> str:
    def one(text: str, strength: float) -> str:
        if strength <= 0:
            return escape(text)
        shade = 0.12 + 0.4 * min(strength, 1.0)
        return f'<mark style="background:rgba(46,160,67,{shade:.2f});color:inherit">{escape(text)}</mark>'

    return "".join(one(text, strength) for text, strength in pieces)


def explanation(why: Explanation) -> str:
    """Texts with what meets in them highlighted, and what each match gives."""
    shown: list[str] = []
    for part in why.parts:
        if part.column is not None:
            shown.append(f'<div style="{_DIM}">{part.weight} × {escape(part.column)}</div>')
        shown += [f"<div>{_highlighted(pieces)}</div>" for pieces in part.pieces]
        most = max((abs(match["contribution"]) for match in part.matches), default=0.0)
        rows = []
        for match in part.matches[:12]:
            left, right = match["left"] or "", match["right"] or ""
            what = left if left == right else f"{left} ~ {right}"
            width = 120 * max(match["contribution"], 0.0) / most if most else 0.0
            bar = f'<div style="background:rgba(46,160,67,.5);height:.8em;width:{width:.0f}px"></div>'
            cells = f'<td style="{_CELL}">{escape(what)}</td><td style="{_CELL}">{match["contribution"]:.4f}</td>'
            rows.append(f"<tr>{cells}<td>{bar}</td></tr>")
        shown.append(f"<table><tbody>{''.join(rows)}</tbody></table>")
        reading = escape(part.reading)
        shown.append(f'<div style="{_DIM}">{part.score:.4f}: {reading}</div>')
    if why.effects:
        shown += [f"<div>{escape(text)}</div>" for text in why.texts]
        rows_of = [(e["feature"], e["value"], e["effect"]) for e in why.effects[:12]]
        shown.append(_table(["feature", "value", "effect"], rows_of))
    if why.probability is not None:
        shown.append(f'<div style="{_DIM}">{why.probability:.4f}: probability</div>')
    return f"<div>{''.join(shown)}</div>"


def evaluation(found: Evaluation) -> str:
    """The report inline, or the figures as a table."""
    if found.html is not None:
        return page(found.html)
    names = list(found.figures[0]) if found.figures else []
    return _table(names, [tuple(figures.get(name) for name in names) for figures in found.figures])


def page(html: str) -> str:
    """A page of its own, inline."""
    return (
        f'<iframe srcdoc="{escape(html, quote=True)}" sandbox="allow-scripts" '
        'style="width:100%;height:640px;border:0"></iframe>'
    )
