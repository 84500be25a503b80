"""completion: the grammar as a script for a shell."""

from argparse import ArgumentParser

from commonplace.cli.commands import Action
from commonplace.cli.session import CommandSession

SHELLS = ("bash", "zsh", "fish", "tcsh")


def _add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("shell", metavar="SHELL", choices=SHELLS, help=", ".join(SHELLS))


def _run(session: CommandSession) -> int:
    import shtab

    from commonplace.cli.parser import build_parser

    shell = session.arguments.shell
    script: str = shtab.complete(build_parser(), shell)
    if session.output.json:
        session.output.document({"shell": shell, "script": script})
    else:
        session.output.line(script)
    return 0


ACTIONS = {
    "completion": Action(
        description="Print a script that completes commands and options in your shell.",
        examples=(
            "completion bash > ~/.local/share/bash-completion/completions/commonplace",
            'completion zsh > "${fpath[1]}/_commonplace"',
            "completion fish > ~/.config/fish/completions/commonplace.fish",
        ),
        add_arguments=_add_arguments,
        run=_run,
    )
}
