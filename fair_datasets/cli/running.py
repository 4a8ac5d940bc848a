"""Running a command: turn what goes wrong into a sentence and an exit code."""

import logging
import os
import signal
import sys
import warnings
from contextlib import AbstractContextManager, nullcontext, suppress
from functools import cache

from fair_datasets.cli.options import Options
from fair_datasets.system import interrupts
from fair_datasets.system.checks import InputError, error_context, iter_causes
from fair_datasets.system.printing import NoReaderError, StandardOutput, printing


def run(options: Options) -> int:
    """Run a command, and return its exit code."""
    with interrupts.record_signals():
        return _run(options)


def _run(options: Options) -> int:
    try:
        with (
            printing(holds_rows=getattr(options, "out", None) == "-") as output,
            warnings.catch_warnings(),
        ):
            _prepare()
            warnings.showwarning = lambda message, *_, **__: _warn(str(message))
            with error_context(options.command, options.flags()), _open_stdin(options):
                options.run()
    except InputError as error:
        return _print_error(str(error), 2)
    except (Exception, KeyboardInterrupt) as error:
        from fair_datasets.cli.errors import BrokenRulesError, sentence

        if isinstance(error, BrokenRulesError):
            return _print_error(str(error), 3)
        # A pool of processes may put an error of its own over the interrupt.
        for cause in iter_causes(error):
            if isinstance(cause, KeyboardInterrupt):
                number = cause.args[0] if cause.args else signal.SIGINT
                return _print_error(_interrupted(error, cause), 128 + number)
            if isinstance(cause, NoReaderError):
                return _ended(output)
        if os.environ.get("FAIR_DATASETS_TRACEBACK"):
            raise
        return _print_error(sentence(error), 1)
    return _ended(output)


def _open_stdin(options: Options) -> AbstractContextManager[None]:
    """Read the standard input, for the time of a command that reads rows."""
    if "inputs" not in vars(options):
        return nullcontext()
    from fair_datasets.cli.inputs import standard_input

    return standard_input(options)


def _ended(output: StandardOutput) -> int:
    """Return the exit code of a command that did its work, and tell what was not printed of it."""
    # Where the reader of our output is gone (| head), there is nobody left to tell.
    if output.failure is None or isinstance(output.failure, BrokenPipeError):
        return 0
    lost = "the report is missing; all else is done"
    lost = "the rows is missing" if output.holds_rows else lost
    return _print_error(
        f"the standard output cannot be written ({output.failure.strerror}), so that a part of "
        f"{lost}.",
        1,
    )


def _interrupted(error: BaseException, interrupt: KeyboardInterrupt) -> str:
    """Return what an interrupt left behind."""
    from fair_datasets.cli.errors import work_notice
    from fair_datasets.cli.outputs import UploadInterrupted

    if isinstance(interrupt, UploadInterrupted):
        return "interrupted; run the same again to go on: what the Hub has is not sent again."
    return f"interrupted; {work_notice(error)}."


def _prepare() -> None:
    """Leave the standard error to our own sentence, and to progress bars where somebody watches."""
    _keep_signals_from_children()
    # A command that imports neither is done before either would be.
    for name in {"datasets", "huggingface_hub.utils"} & sys.modules.keys():
        library = sys.modules[name]
        library.logging.set_verbosity(logging.CRITICAL)
        if not sys.stderr.isatty():
            library.disable_progress_bars()
    if not sys.stderr.isatty() and "transformers" in sys.modules:
        # It asks the Hub's when it is imported, which `measure` has done by now.
        sys.modules["transformers"].utils.logging.disable_progress_bar()


@cache
def _keep_signals_from_children() -> None:
    """Let the processes of --num-proc die when they are told to, and leave Ctrl-C to this one."""

    def in_child() -> None:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        signal.signal(signal.SIGINT, signal.SIG_IGN)

    if hasattr(os, "register_at_fork"):
        os.register_at_fork(after_in_child=in_child)


def _warn(message: str) -> None:
    """Print a warning as a sentence of the command, without the line of code that it comes from."""
    with suppress(OSError):
        print(f"fair-datasets: {message}", file=sys.stderr)


def _print_error(message: str, code: int) -> int:
    """Print a sentence about what went wrong and return the exit code."""
    with suppress(OSError):  # where the standard error fails too, the code has to say it
        print(f"\nfair-datasets: {message}", file=sys.stderr)
    return code
