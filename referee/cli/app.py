"""The commands of `tourney` and their options; each does its work in a module of its own."""

from __future__ import annotations

import sys
from pathlib import Path  # noqa: TC003 - typer reads the annotations
from typing import TYPE_CHECKING, Annotated

import typer

from referee.cli.command import Commands, TakesNumbers, examples
from referee.database.address import address_of
from referee.errors import RefereeError

if TYPE_CHECKING:
    from referee.database.address import StoreAddress
else:
    # Typer knows no unions; whatever stands here, `_address` makes the value.
    StoreAddress = str

__all__ = ["app"]


def _address(text: str) -> StoreAddress:
    try:
        return address_of(text)
    except RefereeError as error:
        raise typer.BadParameter(str(error)) from None


app = Commands(
    name="tourney",
    help="Run tournaments of Trix and Vytrix bots, and read their results.",
    epilog=examples(
        "tourney run cup.toml",
        "tourney ratings cup.toml",
        "tourney report cup.toml -o report",
        "tourney run --help",
    ),
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode="markdown",
    context_settings={"help_option_names": ["--help", "-h"]},
)

StoreArgument = Annotated[
    StoreAddress,
    typer.Argument(
        parser=_address,
        metavar="CUP",
        help="A store (cup.db, or postgresql+psycopg://user@host/database), or the tournament file (cup.toml) that"
        " names it.",
    ),
]
Json = Annotated[bool, typer.Option("--json", help="Print JSON.")]
Only = Annotated[str | None, typer.Option("--competition", "-c", help="Only this competition.")]


@app.callback(invoke_without_command=True)
def _begin(
    version: Annotated[bool, typer.Option("--version", help="Print the version and leave.")] = False,
) -> None:
    if version:
        from importlib.metadata import version as version_of

        print(f"tourney {version_of('cardtable-referee')}")
        raise typer.Exit


@app.command(
    epilog=examples(
        "tourney run cup.toml --jobs 2",
        "tourney run --game trix --bot 'python3 a.py' --bot 'python3 b.py'",
    )
)
def run(
    file: Annotated[Path | None, typer.Argument(metavar="CUP.TOML", help="The tournament file.")] = None,
    game: Annotated[
        str | None, typer.Option(help="Without a file: the game to play, trix or vytrix.")
    ] = None,
    bot: Annotated[
        list[str] | None,
        typer.Option(
            metavar="COMMAND",
            help="Without a file: the command of an entrant, named after its script; once for each.",
        ),
    ] = None,
    option: Annotated[
        list[str] | None,
        typer.Option(metavar="KEY=VALUE", help="Without a file: an option of the game, such as players=4."),
    ] = None,
    boards: Annotated[int, typer.Option(help="Without a file: boards for each table group.")] = 5,
    store: Annotated[
        StoreAddress | None,
        typer.Option(
            parser=_address,
            metavar="FILE|URL",
            help="Where the results go, in place of the file's: a file, or a PostgreSQL database as"
            " postgresql+psycopg://user@host/database.",
        ),
    ] = None,
    jobs: Annotated[
        int | None,
        typer.Option(
            help="Blocks of games that are played at once, in place of the file's; with dask at most."
        ),
    ] = None,
    executor: Annotated[
        str | None,
        typer.Option(
            metavar="NAME",
            help="What plays, in place of the file's: pool, worker processes on this machine; inline, this process"
            " alone; dask, the workers of a Dask cluster.",
        ),
    ] = None,
    scheduler: Annotated[
        str | None,
        typer.Option(
            metavar="ADDRESS",
            help="With dask: the scheduler, such as tcp://192.168.1.10:8786 or tls://…, or the file that it wrote;"
            " without it what Dask's own configuration says.",
        ),
    ] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Print the plan and stop.")] = False,
    extend: Annotated[
        bool, typer.Option("--extend", help="Allow the file to ask for more boards than the store's.")
    ] = False,
    as_json: Json = False,
    json_progress: Annotated[
        bool,
        typer.Option("--json-progress", help="Print JSON, and while it runs an object a line for programs."),
    ] = False,
    quiet: Annotated[
        bool, typer.Option("--quiet", "-q", help="While it runs, say only what goes wrong.")
    ] = False,
) -> int:
    """Run a tournament, or go on with one that was stopped.

    Everything is checked and the plan is printed before anything starts. A game counts when it is in the store;
    after any end, the same command goes on where the last one stopped.
    """
    from referee.cli.running import Request, run_tournament

    return run_tournament(
        Request(
            file,
            game,
            tuple(bot or ()),
            tuple(option or ()),
            boards,
            store,
            jobs,
            dry_run,
            extend,
            as_json or json_progress,
            json_progress,
            quiet,
            executor,
            scheduler,
        )
    )


@app.command(
    epilog=examples(
        "tourney human --game vytrix",
        "tourney human --game trix --bot 'python3 my_bot.py' --bot search",
    )
)
def human(
    game: Annotated[str, typer.Option(help="The game to play, trix or vytrix.")],
    bot: Annotated[
        list[str] | None,
        typer.Option(
            metavar="COMMAND",
            help="A command, or the name of an example bot: greedy, counter, search, random; once for each."
            " Example bots take the seats that are left.",
        ),
    ] = None,
    option: Annotated[
        list[str] | None,
        typer.Option(metavar="KEY=VALUE", help="An option of the game, such as partners=true."),
    ] = None,
    games: Annotated[int, typer.Option(min=1, help="How many games.")] = 1,
    store: Annotated[
        StoreAddress | None,
        typer.Option(
            parser=_address,
            metavar="FILE|URL",
            help="Keep the games there, and go on from there; else they are dropped.",
        ),
    ] = None,
    port: Annotated[int, typer.Option(help="Where the page is on this machine; 0: any that is free.")] = 0,
    name: Annotated[str, typer.Option(help="Your name on the record.")] = "you",
    show_names: Annotated[
        bool, typer.Option("--names", help="Show who the others are, to you and to the bots.")
    ] = False,
    move_seconds: Annotated[
        float, typer.Option(min=1, help="Time for each decision, yours and the bots'.")
    ] = 600,
    away_seconds: Annotated[
        float, typer.Option(min=0, help="How long your seat is kept when you close the page.")
    ] = 120,
    no_open: Annotated[
        bool, typer.Option("--no-open", help="Print the address and open no browser.")
    ] = False,
) -> int:
    """Play against bots, in a browser on this machine.

    The bots play as in any tournament, by the same referee with the same protocol, and so do you: what you see is
    what a bot sees, time is measured, and nothing is taken back.
    """
    from referee.cli.playing import Evening, play_human

    return play_human(
        Evening(
            game,
            tuple(bot or ()),
            tuple(option or ()),
            games,
            store,
            port,
            name,
            show_names,
            move_seconds,
            away_seconds,
            opens=not no_open,
        )
    )


@app.command("test", epilog=examples("tourney test 'python3 mybot.py' 'python3 old/mybot.py' --game trix"))
def compare(
    new: Annotated[str, typer.Argument(help="The command of the new version, or the name of its script.")],
    old: Annotated[str, typer.Argument(help="The command of the old version, or the name of its script.")],
    game: Annotated[str, typer.Option(help="The game to play, trix or vytrix.")] = "trix",
    option: Annotated[
        list[str] | None, typer.Option(metavar="KEY=VALUE", help="An option of the game, such as players=4.")
    ] = None,
    alpha: Annotated[float, typer.Option(help="Chance of a wrong verdict.")] = 0.05,
    margin: Annotated[
        float | None, typer.Option(help="Points per game below which the two count as equal.")
    ] = None,
    max_boards: Annotated[int, typer.Option(help="Give up after so many boards.")] = 1000,
    jobs: Annotated[int | None, typer.Option(help="Worker processes.")] = None,
    store: Annotated[
        StoreAddress | None,
        typer.Option(
            parser=_address,
            metavar="FILE|URL",
            help="Keep the games there, and go on from there; else they are dropped.",
        ),
    ] = None,
    as_json: Json = False,
) -> int:
    """Ask whether a new version of a bot is better than the old one, with as few boards as that takes.

    The two share all seats of a table, each board with the cards exchanged. It stops as soon as the difference is
    certain, however often that is looked at.
    """
    from referee.cli.testing import Question, test_bots

    return test_bots(
        Question(new, old, game, tuple(option or ()), alpha, margin, max_boards, jobs, store, as_json)
    )


@app.command(epilog=examples("tourney ratings cup.db", "tourney ratings spring.db autumn.db --los"))
def ratings(
    cups: Annotated[
        list[StoreAddress],
        typer.Argument(
            parser=_address,
            metavar="CUP",
            help="A store (cup.db, or postgresql+psycopg://user@host/database), or the tournament file that names it; several are joined.",
        ),
    ],
    competition: Only = None,
    los: Annotated[
        bool, typer.Option("--los", help="Print for each pair the chance of being better.")
    ] = False,
    as_json: Json = False,
    no_cache: Annotated[
        bool, typer.Option("--no-cache", help="Make the tables anew even where nothing has changed.")
    ] = False,
) -> None:
    """Print the ratings of each competition, and of all together.

    Several stores are rated as one: the same entrant is the same name with the same command and files. Tables of
    2,000 games and more are kept in your cache folder until something changes.
    """
    from referee.cli.results import print_ratings

    print_ratings(cups, competition, los=los, as_json=as_json, anew=no_cache)


@app.command(epilog=examples("tourney merge year.db spring.db autumn.db"))
def merge(
    out: Annotated[
        StoreAddress,
        typer.Argument(
            parser=_address,
            metavar="OUT.DB",
            help="The store to write: a file that must not exist, or an empty database.",
        ),
    ],
    cups: Annotated[
        list[StoreAddress], typer.Argument(parser=_address, metavar="CUP", help="The stores to join.")
    ],
) -> None:
    """Join stored tournaments to one store, which all commands that read understand."""
    from referee.cli.results import merge_cups

    merge_cups(out, cups)


@app.command(epilog=examples("tourney crosstable cup.db -c trix"))
def crosstable(cup: StoreArgument, competition: Only = None, as_json: Json = False) -> None:
    """Print who did how much better than whom on the boards that both played."""
    from referee.cli.results import print_crosstable

    print_crosstable(cup, competition, as_json=as_json)


@app.command(epilog=examples("tourney analyse cup.db ana", "tourney analyse cup.db"))
def analyse(
    cup: StoreArgument,
    bot: Annotated[
        str | None,
        typer.Argument(metavar="BOT", help="The entrant; without it the points of all are printed."),
    ] = None,
    competition: Only = None,
    as_json: Json = False,
) -> None:
    """Print why a bot lost: points by contract and role against the field on the same cards, and costly deals.

    Every ± is one standard error over boards. Deals in which the house decided for a bot are left out.
    """
    from referee.cli.analysing import print_analysis

    print_analysis(cup, bot, competition, as_json=as_json)


@app.command(epilog=examples("tourney games cup.db"))
def games(cup: StoreArgument, competition: Only = None, as_json: Json = False) -> None:
    """List the finished games: name, entrants by seat, scores, faults."""
    from referee.cli.results import print_games

    print_games(cup, competition, as_json=as_json)


@app.command(epilog=examples("tourney faults cup.db", "tourney faults cup.db trix/12/0"))
def faults(
    cup: StoreArgument,
    game: Annotated[
        str | None,
        typer.Argument(metavar="GAME", help="Only those of this game, with the questions and the output."),
    ] = None,
    competition: Only = None,
    bot: Annotated[str | None, typer.Option(help="Only those of this entrant.")] = None,
    as_json: Json = False,
) -> None:
    """List the faults: game, bot, cause, turn and what happened."""
    from referee.cli.faults import print_faults

    print_faults(cup, game, competition=competition, bot=bot, as_json=as_json)


@app.command(
    cls=TakesNumbers,
    epilog=examples(
        "tourney rule cup.db",
        'tourney rule cup.db void trix/12/0 --reason "the table was seen on the stream"',
        'tourney rule cup.db forgive trix/12/0 1 --reason "the network was down"',
    ),
)
def rule(
    cup: StoreArgument,
    what: Annotated[
        str | None,
        typer.Argument(metavar="RULING", help="One of those above; without it the rulings are listed."),
    ] = None,
    about: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="ABOUT",
            help="GAME is COMPETITION/BOARD/SEATING; FAULT a number as `tourney faults CUP GAME` has it.",
        ),
    ] = None,
    reason: Annotated[
        str | None, typer.Option(help="Why, in one line of at most 500 characters; every ruling needs it.")
    ] = None,
    bot: Annotated[
        str | None, typer.Option(help="With forgive, in place of FAULT: all faults of this bot in the game.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Rule on what happened, or list the rulings.

    - `void GAME`: the game counts nowhere, and its board in no table.
    - `forgive GAME FAULT`: the fault does not count towards the forfeit of its game.
    - `withdraw BOT`: the bot leaves; no later board with it is played or counted.
    - `revoke NUMBER`: an earlier ruling is taken back.

    A ruling is never deleted. The tables name those that hold, with their reasons. While a run writes the store
    nothing can be ruled.
    """
    from referee.cli.ruling import Asked, rule as make_or_list

    make_or_list(cup, Asked(what, tuple(about or ()), bot, reason, as_json))


@app.command(epilog=examples("tourney reproduce cup.toml trix/12/0 --turn 7"))
def reproduce(
    cup: Annotated[
        StoreAddress,
        typer.Argument(
            parser=_address,
            metavar="CUP",
            help="The tournament file, which says how the bot is started; or a store, with --command.",
        ),
    ],
    game: Annotated[str, typer.Argument(help="COMPETITION/BOARD/SEATING.")],
    turn: Annotated[int, typer.Option(help="The turn, as `tourney faults` shows it.")],
    seat: Annotated[
        int | None, typer.Option(help="Whose turn; else that of the seat that was at fault there.")
    ] = None,
    command: Annotated[
        str | None, typer.Option(help="Ask this program, in place of the one that played.")
    ] = None,
    view_only: Annotated[bool, typer.Option("--view", help="Print the question and ask nobody.")] = False,
    as_json: Json = False,
) -> int:
    """Put one decision of a stored game to its bot again, alone, and print the question and the answer.

    Status 0 when the answer is legal and in time, 1 when it is not.
    """
    from referee.cli.reproducing import Wanted, reproduce_decision

    return reproduce_decision(Wanted(cup, game, turn, seat, command, view_only, as_json))


@app.command(epilog=examples("tourney logs cup.db ana"))
def logs(
    cup: StoreArgument,
    bot: Annotated[str, typer.Argument(help="The entrant.")],
    game: Annotated[
        str | None,
        typer.Argument(metavar="GAME", help="Only the output of the seats that it had in this game."),
    ] = None,
) -> None:
    """Print what a bot wrote, on standard output and standard error alike."""
    from referee.cli.faults import print_logs

    print_logs(cup, bot, game)


@app.command(epilog=examples("tourney show cup.db trix/12/0"))
def show(
    source: Annotated[
        StoreAddress,
        typer.Argument(parser=_address, metavar="CUP|FILE", help="A store, or a file of records."),
    ],
    game: Annotated[
        str,
        typer.Argument(help="COMPETITION/BOARD/SEATING in a store; in a file the record's number, from 0."),
    ],
) -> None:
    """Print one game, deal by deal."""
    from referee.cli.records import show_game

    show_game(source, game)


@app.command(epilog=examples("tourney export cup.db > games.jsonl"))
def export(
    cup: StoreArgument,
    competition: Only = None,
    output_format: Annotated[
        str,
        typer.Option("--format", help="`jsonl`: whole records, one a line; `csv`: a line for each entrant."),
    ] = "jsonl",
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="Write to this file, not to the terminal.")
    ] = None,
    identity: Annotated[
        bool,
        typer.Option(
            "--identity", help="Write no games but the JSON that the tournament's hashes are made of."
        ),
    ] = False,
) -> None:
    """Write the finished games as JSON Lines or CSV."""
    from referee.cli.records import export_games, export_identity

    if identity:
        export_identity(cup, output)
    else:
        export_games(cup, competition, output_format, output)


@app.command(epilog=examples("tourney report cup.db -o report"))
def report(
    cup: StoreArgument,
    output: Annotated[
        Path, typer.Option("--output", "-o", metavar="FOLDER", help="Where index.html is written.")
    ],
    competition: Only = None,
) -> None:
    """Write the results and all games as one page that works offline.

    Ratings, differences, faults, rulings, plan and seed, and every game card by card, in one HTML file that asks no
    host for anything. A report that the folder holds already is replaced.
    """
    from referee.cli.reporting import write_report

    write_report(cup, output, competition)


@app.command(epilog=examples("tourney serve cup.db", "tourney serve cup.toml --port 0"))
def serve(
    cup: StoreArgument,
    host: Annotated[
        str, typer.Option(help="Where it listens; 0.0.0.0: on all networks of this machine.")
    ] = "127.0.0.1",
    port: Annotated[int, typer.Option(help="Its port; 0: any that is free.")] = 8000,
    allow_host: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME", help="A further name that browsers may ask for, behind a proxy; once for each."
        ),
    ] = None,
    no_open: Annotated[
        bool, typer.Option("--no-open", help="Print the address and open no browser.")
    ] = False,
) -> None:
    """Show the results in a browser while the tournament goes on, or afterwards.

    Progress, ratings, differences, faults, and every game card by card, kept current while `tourney run` writes the
    store. Nothing is written to it. Ctrl-C ends it.
    """
    from referee.cli.serving import serve_pages

    serve_pages(cup, host, port, names=tuple(allow_host or ()), opens=not no_open)


@app.command(epilog=examples("tourney verify games.jsonl", "tourney verify cup.db"))
def verify(
    files: Annotated[
        list[StoreAddress], typer.Argument(parser=_address, help="Files of records, or stores.")
    ],
    as_json: Json = False,
) -> int:
    """Replay games through the rules, and of a store recompute all that follows from its seed.

    Of a store that is its deals, scores, board totals, schedule and ratings. Status 0 if all hold, 1 if something
    does not, 2 if a file cannot be read.
    """
    from referee.cli.records import verify_files

    return verify_files(files, as_json=as_json)


@app.command(epilog=examples("tourney rate matches.json"))
def rate(
    file: Annotated[Path, typer.Argument(help='Matches as JSON: {"matches": [{"groups": [["a"], ["b"]]}]}.')],
) -> None:
    """Rate any matches with TrueSkill, in sequence or all at once, and print mu and sigma as JSON."""
    from referee.cli.results import rate_matches

    rate_matches(file)


@app.command(
    epilog=examples(
        "tourney check cup.toml", "tourney check cup.toml ana", "tourney check 'python3 mybot.py' --game trix"
    )
)
def check(
    what: Annotated[
        str,
        typer.Argument(metavar="CUP.TOML|COMMAND", help="A tournament file, or the command of a bot."),
    ],
    bot: Annotated[
        str | None, typer.Argument(metavar="BOT", help="Of the file's bots only this one.")
    ] = None,
    game: Annotated[str | None, typer.Option(help="Check this game only, trix or vytrix.")] = None,
    games: Annotated[int, typer.Option(min=1, help="Games of each variant.")] = 2,
    start_seconds: Annotated[
        float | None,
        typer.Option(
            min=0.1, help="Time to join, and for the first decision of a process; 30, or as the file says."
        ),
    ] = None,
    move_ms: Annotated[
        int | None, typer.Option(min=1, help="Time for a decision; 5000, or as the file says.")
    ] = None,
    as_json: Json = False,
) -> int:
    """Check that bots are fit for a tournament, and say what to change where they are not.

    Of a tournament file all bots that the referee starts are checked, each with the games, variants, clocks, folder,
    environment and box that it will have. Status 0 when all checks hold, 1 when one fails.
    """
    from referee.cli.checking import Wanted, check_bots

    return check_bots(Wanted(what, bot, game, games, start_seconds, move_ms, as_json))


if __name__ == "__main__":
    sys.exit(app())
