"""`cardtable completion`: a script by which a shell completes commands, options and their values.

Owns the scripts of three shells, written from the parser itself, so that they name what there is.
"""

from __future__ import annotations

import shlex
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Iterable

__all__ = ["add_to"]

_ABOUT = """\
Print the script by which a shell completes the commands of cardtable, their options, and values from a list; for other
values it completes files."""
_EXAMPLES = """\
Examples:
  bash   cardtable completion bash > ~/.local/share/bash-completion/completions/cardtable
  zsh    cardtable completion zsh > "${fpath[1]}/_cardtable"
  fish   cardtable completion fish > ~/.config/fish/completions/cardtable.fish"""


def add_to(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command to the parser."""
    parser = commands.add_parser(
        "completion",
        help="print a script for completion in a shell",
        description=_ABOUT,
        epilog=_EXAMPLES,
    )
    parser.add_argument("shell", choices=sorted(_SCRIPTS), help="which shell")
    parser.set_defaults(run=lambda asked: _print(asked, commands))


@dataclass(frozen=True, slots=True)
class _Option:
    """An option, or what stands without one.

    Args:
        names: Its names; none for an argument by its place.
        help: What it is.
        values: From what it is chosen; empty: any value.
        takes_value: Whether a value follows.
    """

    names: tuple[str, ...]
    help: str
    values: tuple[str, ...]
    takes_value: bool


@dataclass(frozen=True, slots=True)
class _Command:
    name: str
    help: str
    options: list[_Option] = field(default_factory=list)

    @property
    def words(self) -> list[str]:
        """All that may stand at a place of its own, files apart."""
        found = [name for one in self.options for name in one.names]
        return found + [value for one in self.options if not one.names for value in one.values]


def _print(asked: argparse.Namespace, commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> int:
    helps = {action.dest: action.help or "" for action in commands._choices_actions}  # noqa: SLF001 - argparse tells nobody
    found = [
        _Command(name, helps.get(name, ""), list(_options(parser)))
        for name, parser in commands.choices.items()
    ]
    print(_SCRIPTS[asked.shell](found))
    return 0


def _options(parser: argparse.ArgumentParser) -> Iterable[_Option]:
    for action in parser._actions:  # noqa: SLF001 - argparse tells nobody
        values = tuple(map(str, action.choices or ()))
        text = (action.help or "").replace("%(default)s", str(action.default))
        yield _Option(tuple(action.option_strings), text, values, action.nargs != 0)


def _bash(commands: list[_Command]) -> str:
    lines = [
        "# Completion of cardtable for bash.",
        "_cardtable() {",
        '    local cur="${COMP_WORDS[COMP_CWORD]}" prev="${COMP_WORDS[COMP_CWORD-1]}" words=""',
        "    COMPREPLY=()",
        '    if [ "$COMP_CWORD" -eq 1 ]; then',
        f"        words={shlex.quote(' '.join([one.name for one in commands] + ['--help', '--version']))}",
        "    else",
        '        case "${COMP_WORDS[1]} $prev" in',
    ]
    for command in commands:
        for option in command.options:
            if option.takes_value and option.names:
                cases = "|".join(f'"{command.name} {name}"' for name in option.names)
                lines.append(f"            {cases}) words={shlex.quote(' '.join(option.values) or '-')} ;;")
    lines += [
        "        esac",
        '        if [ "$words" = "-" ]; then return; fi',
        '        if [ -z "$words" ]; then',
        '            case "${COMP_WORDS[1]}" in',
    ]
    lines += [
        f"                {command.name}) words={shlex.quote(' '.join(command.words))} ;;"
        for command in commands
    ]
    lines += [
        "            esac",
        "        fi",
        "    fi",
        '    COMPREPLY=($(compgen -W "$words" -- "$cur"))',
        "}",
        "# Files where nothing of ours fits.",
        "complete -o bashdefault -o default -F _cardtable cardtable",
    ]
    return "\n".join(lines)


def _zsh(commands: list[_Command]) -> str:
    lines = [
        "#compdef cardtable",
        "# Completion of cardtable for zsh.",
        "_cardtable() {",
        "    local line state",
        "    _arguments -C '(- *)--help[show help]' '(- *)--version[show the version]' '1:command:->command' '*::argument:->argument'",
        '    case "$state" in',
        "        command)",
        "            local -a commands=(",
    ]
    lines += [f"                {shlex.quote(f'{one.name}:{one.help}')}" for one in commands]
    lines += [
        "            )",
        "            _describe command commands ;;",
        "        argument)",
        '            case "$line[1]" in',
    ]
    for command in commands:
        specs = [_zsh_spec(option, name) for option in command.options for name in option.names or ("",)]
        lines.append(f"                {command.name}) _arguments {' '.join(map(shlex.quote, specs))} ;;")
    lines += [
        "            esac ;;",
        "    esac",
        "}",
        'if [ "$funcstack[1]" = _cardtable ]; then _cardtable "$@"; else compdef _cardtable cardtable; fi',
    ]
    return "\n".join(lines)


def _zsh_spec(option: _Option, name: str) -> str:
    values = f"({' '.join(option.values)})" if option.values else "_files"
    text = "".join(" " if one in "[]:\n" else one for one in option.help)
    if not name:
        return f"*:value:{values}"
    return f"{name}[{text}]:value:{values}" if option.takes_value else f"{name}[{text}]"


def _fish(commands: list[_Command]) -> str:
    lines = ["# Completion of cardtable for fish.", "complete -c cardtable -n __fish_use_subcommand -f"]
    for command in commands:
        lines.append(
            f"complete -c cardtable -n __fish_use_subcommand -a {command.name} -d {_fish_quote(command.help)}"
        )
        seen = f"complete -c cardtable -n '__fish_seen_subcommand_from {command.name}'"
        for option in command.options:
            words = [f"-{'l' if name.startswith('--') else 's'} {name.lstrip('-')}" for name in option.names]
            values = f"-x -a {shlex.quote(' '.join(option.values))}" if option.values else "-r -F"
            if not option.names and not option.values:
                continue
            parts = [seen, *words, *([values] if option.takes_value else []), "-d", _fish_quote(option.help)]
            lines.append(" ".join(parts))
    return "\n".join(lines)


def _fish_quote(text: str) -> str:
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"


_SCRIPTS: Final[dict[str, Callable[[list[_Command]], str]]] = {"bash": _bash, "fish": _fish, "zsh": _zsh}
