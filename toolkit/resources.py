"""Where the data files are: beside the package in a checkout, inside it once installed as a wheel."""

from __future__ import annotations

from pathlib import Path

_HERE = Path(__file__).resolve().parent


def data_path(*parts: str) -> Path:
    """Path of a file or folder under `data/`.

    Raises:
        FileNotFoundError: nothing stands there; the text names the places searched.
    """
    places = [_HERE / "data", _HERE.parent / "data"]
    for place in places:
        path = place.joinpath(*parts)
        if path.exists():
            return path
    searched = " and ".join(str(place) for place in places)
    raise FileNotFoundError(f"no data file {'/'.join(parts)!r} under {searched}; reinstall the package")
