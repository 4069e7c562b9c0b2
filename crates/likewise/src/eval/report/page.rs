//! The page as a whole.

use super::markup::Markup;
use super::{Fact, Report, bars, chart, errors, table};

pub(super) fn page(report: &Report) -> String {
    let mut page = Markup::default();
    page.verbatim("<!DOCTYPE html>\n");
    page.element("html", &[("lang", &"en")], |m| {
        m.element("head", &[], |m| head(m, report));
        m.verbatim("\n");
        m.element("body", &[], |m| m.element("main", &[], |m| body(m, report)));
    });
    page.verbatim("\n");
    page.into_string()
}

fn head(m: &mut Markup, report: &Report) {
    m.void("meta", &[("charset", &"utf-8")]);
    m.void("meta", &[("name", &"viewport"), ("content", &"width=device-width, initial-scale=1")]);
    m.leaf("title", &[], &report.title);
    m.element("style", &[], |m| m.verbatim(include_str!("style.css")));
}

fn body(m: &mut Markup, report: &Report) {
    m.element("header", &[], |m| {
        m.leaf("h1", &[("dir", &"auto")], &report.title);
        if !report.subtitle.is_empty() {
            m.leaf("p", &[("class", &"subtitle"), ("dir", &"auto")], &report.subtitle);
        }
        facts(m, &report.facts);
    });
    if let Some(sweep) = &report.sweep {
        section(m, "Every setting", |m| chart::sweep(m, sweep));
    }
    if let Some(measures) = &report.table {
        let heading = if measures.rows.len() > 1 { "Measures compared" } else { "Figures" };
        section(m, heading, |m| table::table(m, measures));
    }
    if report.curves.iter().any(|curve| !curve.points.is_empty()) {
        section(m, "Precision at each recall", |m| {
            chart::curves(m, &report.curves);
        });
    }
    if let Some(scatter) = &report.scatter {
        section(m, "Against human scores", |m| chart::scatter(m, scatter));
    }
    for titled in &report.tables {
        section(m, &titled.title, |m| table::plain(m, &titled.head, &titled.table));
    }
    if let Some(histogram) = &report.histogram {
        section(m, &histogram.heading, |m| chart::histogram(m, histogram));
    }
    if let Some(lines) = &report.lines {
        section(m, &lines.heading, |m| chart::lines(m, lines));
    }
    for tables in report.bars.iter().filter(|tables| !tables.tables.is_empty()) {
        section(m, &tables.heading, |m| bars::bars(m, tables));
    }
    for list in report.errors.iter().filter(|list| !list.rows.is_empty()) {
        section(m, &list.heading, |m| errors::errors(m, list));
    }
    if !report.notes.is_empty() {
        section(m, "Notes", |m| {
            for note in &report.notes {
                m.leaf("p", &[("class", &"note"), ("dir", &"auto")], note);
            }
        });
    }
}

fn section(m: &mut Markup, heading: &str, inside: impl FnOnce(&mut Markup)) {
    m.verbatim("\n");
    m.element("section", &[], |m| {
        m.leaf("h2", &[("dir", &"auto")], heading);
        inside(m);
    });
}

fn facts(m: &mut Markup, facts: &[Fact]) {
    if facts.is_empty() {
        return;
    }
    m.element("dl", &[("class", &"facts")], |m| {
        for fact in facts {
            m.element("div", &[], |m| {
                m.leaf("dt", &[("dir", &"auto")], &fact.label);
                m.leaf("dd", &[("dir", &"auto")], &fact.value);
            });
        }
    });
}
