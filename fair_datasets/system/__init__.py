"""The machine: checks of arguments, files, locks, interrupts, steps and waiting."""
