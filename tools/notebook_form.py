"""The normal form of a notebook file: the same source and the same outputs give the same bytes.

What a run or an editor adds (timings, model ids of widgets, memory addresses, coloured tracebacks) goes;
what a reader or nbval needs stays. Normalising twice changes nothing.
"""

from __future__ import annotations

import hashlib
import re
from collections import Counter

import nbformat
from nbformat import NotebookNode

KERNELSPEC = {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"}
# The whole block as the kernel reports it: with less, JupyterLab marks the file changed as soon as it opens
# it, and autosave rewrites it two minutes later. The version is pinned, whoever builds.
LANGUAGE_INFO = {
    "codemirror_mode": {"name": "ipython", "version": 3},
    "file_extension": ".py",
    "mimetype": "text/x-python",
    "name": "python",
    "nbconvert_exporter": "python",
    "pygments_lexer": "ipython3",
    "version": "3.11.7",
}
WIDGET_VIEW = "application/vnd.jupyter.widget-view+json"
ADDRESS = re.compile(r"\bat 0x[0-9a-fA-F]+")
KERNEL_FILE = re.compile(r"/tmp/ipykernel_\d+/\d+\.py")


def normalise(notebook: NotebookNode) -> NotebookNode:
    """Bring a notebook into the normal form, in place, and return it."""
    notebook.metadata = nbformat.from_dict({"kernelspec": KERNELSPEC, "language_info": LANGUAGE_INFO})
    notebook.nbformat, notebook.nbformat_minor = 4, 5
    seen: Counter[str] = Counter()
    for cell in notebook.cells:
        cell.source = cell.source.rstrip("\n")
        cell["id"] = _cell_id(cell, seen)
        tags = cell.metadata.get("tags")
        cell.metadata = nbformat.from_dict({"tags": list(tags)} if tags else {})
        cell.pop("attachments", None)
        if cell.cell_type == "code":
            for output in cell.outputs:
                _normalise_output(output)
    return notebook


def to_text(notebook: NotebookNode) -> str:
    """The bytes of the file, as text."""
    return nbformat.writes(notebook, version=4) + "\n"


def _cell_id(cell: NotebookNode, seen: Counter[str]) -> str:
    """An id from the cell's own text, so that a new cell above does not change those below."""
    digest = hashlib.blake2b(f"{cell.cell_type}\n{cell.source}".encode(), digest_size=4).hexdigest()
    seen[digest] += 1
    return digest if seen[digest] == 1 else f"{digest}-{seen[digest]}"


def _normalise_output(output: NotebookNode) -> None:
    if output.output_type == "stream":
        output.text = KERNEL_FILE.sub("/tmp/ipykernel/cell.py", output.text)
    elif output.output_type == "error":
        # nbval compares name and value only; a short plain traceback reads the same everywhere.
        output.traceback = [f"{output.ename}: {output.evalue}"]
    else:
        output.data.pop(WIDGET_VIEW, None)  # useless without saved state, and its id is random
        if "text/plain" in output.data:
            output.data["text/plain"] = ADDRESS.sub("at 0x0", output.data["text/plain"])
        output.metadata = nbformat.from_dict({k: v for k, v in output.metadata.items() if k != WIDGET_VIEW})
