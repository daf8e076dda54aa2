"""A bot's command in one text is split as a shell would, and what only a shell could do is refused."""

from __future__ import annotations

import pytest

from cardtable.command_line import split_command


@pytest.mark.parametrize(
    "word", ["|", "||", "&&", "&", ";", ">", ">>", "<", ">log", "2>/dev/null", "2>&1", "&>log", "<in"]
)
def test_what_means_something_to_a_shell_alone_is_refused(word: str) -> None:
    with pytest.raises(ValueError, match="and no shell runs it: name one program") as refused:
        split_command(f"python a.py {word} x")
    assert str(refused.value).startswith(f'has "{word}"')


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("python a.py '>' x", ["python", "a.py", ">", "x"]),
        ('python a.py "|" x', ["python", "a.py", "|", "x"]),
        ("python a.py \\> x", ["python", "a.py", ">", "x"]),
        ("sh -c 'python a.py 2>log | tee x'", ["sh", "-c", "python a.py 2>log | tee x"]),
        ("a --url=h/?a&b", ["a", "--url=h/?a&b"]),
        ("it\\'s a", ["it's", "a"]),
    ],
)
def test_what_is_quoted_or_part_of_a_word_means_itself(text: str, words: list[str]) -> None:
    assert split_command(text) == words


def test_a_quotation_without_an_end_is_refused() -> None:
    with pytest.raises(ValueError, match="cannot be split as a shell would: no closing quotation"):
        split_command("python 'a.py")
