"""Chat formats that are known by name, written out."""

from __future__ import annotations

from pathlib import Path

import pytest

from callwright.models import local_models
from callwright.models.local_models import CHAT_STYLES, LocalSettings
from callwright.train.chat_template import ChatTemplate

TALK = [
    {"role": role, "content": said}
    for role, said in (("system", "Help."), ("user", "Hi"), ("assistant", "Hello"), ("user", "More"))
]
WRITTEN = {
    "vicuna": "Help. USER: Hi ASSISTANT: Hello</s>USER: More ASSISTANT:",
    "llama-2": "<s>[INST] <<SYS>>\nHelp.\n<</SYS>>\n\nHi [/INST] Hello </s><s>[INST] More [/INST]",
    "zephyr": "<|system|>\nHelp.</s>\n<|user|>\nHi</s>\n<|assistant|>\nHello</s>\n<|user|>\nMore</s>\n<|assistant|>\n",
    "baichuan2": "Help.<reserved_106>Hi<reserved_107>Hello<reserved_106>More<reserved_107>",
}


@pytest.mark.parametrize("style", CHAT_STYLES)
def test_a_style_writes_a_conversation(style: str) -> None:
    source = local_models._template(LocalSettings(chat_template=Path(style)))
    assert ChatTemplate(style, source).render(TALK, [], prompt=True) == WRITTEN[style]
