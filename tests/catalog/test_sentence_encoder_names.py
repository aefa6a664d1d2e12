from __future__ import annotations

import json
from importlib.util import find_spec
from pathlib import Path

import pytest

from callwright.catalog.sentence_encoder import locate
from callwright.errors import BadInput

without_extra = pytest.mark.skipif(find_spec("sentence_transformers") is not None, reason="the extra is installed")


@without_extra
@pytest.mark.parametrize("name", ["minilm", "sentence-transformers/all-mpnet-base-v2"])
def test_a_missing_extra_says_how_to_install_it(name: str) -> None:
    """Without the extra, the error is the command that installs it."""
    with pytest.raises(BadInput, match=r"pip install 'callwright\[embed\]'"):
        locate(name)


@without_extra
def test_a_sound_folder_needs_the_extra_too(tmp_path: Path) -> None:
    """A folder that is in order still needs the library."""
    (tmp_path / "modules.json").write_text(json.dumps([{"type": "sentence_transformers.models.Transformer"}]))
    with pytest.raises(BadInput, match="sentence-transformers"):
        locate(str(tmp_path))


@pytest.mark.parametrize("text", [None, "", "{", "5", "[5]", "[{}]", '{"type": "x"}'])
def test_a_folder_without_a_model_is_refused(tmp_path: Path, text: str | None) -> None:
    """A folder that is no sentence encoder is named, with what was expected."""
    if text is not None:
        (tmp_path / "modules.json").write_text(text)
    with pytest.raises(BadInput, match=r"modules\.json cannot be read"):
        locate(str(tmp_path))


@pytest.mark.parametrize("kind", ["os.system", "custom_st.Transformer", "sentence_transformers_evil.Module", 5])
def test_foreign_code_is_not_run(tmp_path: Path, kind: object) -> None:
    """A model whose parts are code from elsewhere is refused before anything is loaded."""
    (tmp_path / "modules.json").write_text(json.dumps([{"type": kind}]))
    with pytest.raises(BadInput, match="it is not run"):
        locate(str(tmp_path))
