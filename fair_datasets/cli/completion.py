"""The command `completion`: the script by which a shell completes the command line."""

from typing import Literal

from click.shell_completion import get_completion_class

from fair_datasets.cli.main import commands
from fair_datasets.cli.options import Options


class Completion(Options):
    """Print a script that completes commands and options in your shell.

    It completes commands, options and files. Write it to where the shell looks for such scripts
    (make the folder if it is not there), and open a new shell.

    Attributes:
        shell: The shell that you use.
    """

    ARGUMENTS = "shell"
    EPILOG = """\
  fair-datasets completion bash > ~/.local/share/bash-completion/completions/fair-datasets
  fair-datasets completion zsh > "${fpath[1]}/_fair-datasets"
  fair-datasets completion fish > ~/.config/fish/completions/fair-datasets.fish
"""

    shell: Literal["bash", "zsh", "fish"]

    def run(self) -> None:
        """Run the command."""
        kind = get_completion_class(self.shell)
        if kind is None:
            raise AssertionError(f"there is no completion for {self.shell}")
        print(kind(commands(), {}, "fair-datasets", "_FAIR_DATASETS_COMPLETE").source())
