"""How alike are these texts? Scores, searches, links and evaluates, exactly and with reasons.

```python
import likewise

likewise.score("Sergio Jimenez", "S. Gimenez")
likewise.search(faq, "reset my pasword", on="question", k=3).frame
likewise.match(ours, theirs, on="name").frame
likewise.dedupe(people, on="name,city").frame
```

Tables are frames of pandas, Polars or pyarrow, DuckDB's relations, whatever else exports an Arrow stream, files, dicts of
lists, lists. `frame` of a result is the kind of frame that went in. Options are keywords, named as the flags of the command.
"""

from __future__ import annotations

from ._calls import answer, dedupe, match, parse, rank, score, search
from ._errors import (
    Cancelled,
    CollectionError,
    DataError,
    Error,
    ExpressionError,
    IndexFileError,
    InputError,
    InternalError,
    MissingPackageError,
    ModelError,
    OptionError,
    TableError,
)
from ._evaluate import Evaluation, evaluate
from ._index import Index
from ._likewise import __version__
from ._measure import Measure, cdist, cpdist, measures
from ._model import Model, train
from ._results import Explanation, Part, Report, Result, Threshold
from ._settings import configure

__all__ = [
    "Cancelled",
    "CollectionError",
    "DataError",
    "Error",
    "Evaluation",
    "Explanation",
    "ExpressionError",
    "Index",
    "IndexFileError",
    "InputError",
    "InternalError",
    "Measure",
    "MissingPackageError",
    "Model",
    "ModelError",
    "OptionError",
    "Part",
    "Report",
    "Result",
    "TableError",
    "Threshold",
    "__version__",
    "answer",
    "cdist",
    "configure",
    "cpdist",
    "dedupe",
    "evaluate",
    "match",
    "measures",
    "parse",
    "rank",
    "score",
    "search",
    "train",
]
