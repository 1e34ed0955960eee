"""What was found, each problem once, and what was done with each module for each system."""

# Where a warning is a defect: in the package, and in what it generates. What else apps have may be warned of.
STRICT = {"Sources", "Plugins", "Fixtures"}


def show(outcomes, check, say):
    """Prints everything. Gives the number of problems."""
    problems = {}
    for (target, mode, system), outcome in outcomes.items():
        for file, line, kind, text in outcome.diagnostics:
            if kind == "error" or target.group in STRICT and mode is None:
                where = f"{file}:{line}" if file else target.name
                problems.setdefault((where, kind, text), []).append((target, mode, system))
    if problems:
        say("")
    for (where, kind, text), places in problems.items():
        systems = ", ".join(dict.fromkeys(system.name for _, _, system in places))
        modes = ", ".join(dict.fromkeys(words(target, mode) for target, mode, _ in places))
        say(f"{where}: {kind}: {text} [{systems}; {modes}]")
    failed = [name for name, outcome in outcomes.items() if outcome.what == "failed"]
    say("\n" + "\n".join(rows(outcomes, check)))
    # Only an example may be left out.
    uncompiled = [target for target in check.left_out if target.group != "Examples"]
    for target in uncompiled:
        say(f"{target.name} was not compiled")
    return max(len(problems), len(failed)) + len(uncompiled)


def words(target, mode):
    return mode.words if mode else f"Swift {target.language_mode}"


def rows(outcomes, check):
    """The table. Modes of one module with the same results share a row, and so do fixtures."""
    yield ("SIL: compiled as far as SIL, with isolation. types: types only, since the compiler crashes in SIL"
           f"{', or since the code is that of ' + check.systems[0].name if check.is_quick else ''}. "
           "–: not made for the system.")
    merged = {}
    for target in check.targets:
        if target.group == "Dependencies":
            continue
        for mode in [None, *check.modes_of(target)]:
            if not any((target, mode, system) in outcomes for system in check.systems):
                continue
            cells = tuple(
                outcomes[target, mode, system].what if (target, mode, system) in outcomes else "–"
                for system in check.systems)
            merged.setdefault(target, {}).setdefault(cells, []).append(mode)
    named = {}
    for target, by_cells in merged.items():
        for cells, modes in by_cells.items():
            settings = ", ".join(dict.fromkeys(["manifest" if mode is None else mode.words for mode in modes]))
            group = "Fixtures" if target.group == "Fixtures" else target
            named.setdefault((group, settings, cells), []).append(target.name)
    entries = []
    for (group, settings, cells), names in named.items():
        name = names[0] if len(names) == 1 else f"{len(names)} fixtures ({names[0]} … {names[-1]})"
        entries.append((name, settings, cells))
    widths = [max(len(entry[0]) for entry in entries), max(len(entry[1]) for entry in entries)]
    yield "  ".join(["module".ljust(widths[0]), "settings".ljust(widths[1])]
                    + [system.name.ljust(8) for system in check.systems])
    for name, settings, cells in entries:
        yield "  ".join([name.ljust(widths[0]), settings.ljust(widths[1])] + [cell.ljust(8) for cell in cells])
    for target, reason in check.left_out.items():
        yield f"left out: {target.name}: {reason}"
