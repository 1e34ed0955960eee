"""Plants errors, and looks whether each is reported at its place: a check that cannot fail proves nothing.

In each module of Sources and in both plugins stands a file more, with errors of each kind; and so does one in the app's
pieces, for what only Xcode's defaults refuse. The lines with an error end with `// !` and a part of its message.
"""

import re
import time

import foundation_symbols
import one_foundation
from compiler import MODES
from library import Refused

# The compiler reports what stands here while it checks types.
TYPES = """
private func newer(_ values: any AsyncSequence<Int, any Error>) {}  // ! only available in
private final class Box<State: ~Copyable> {}
private struct Key: ~Copyable {}
private func same(_ left: Box<Key>, _ right: Box<Key>) -> Bool { left === right }  // ! only available in
"""

# Where the module has Foundation.
FOUNDATION = """
import Foundation
extension Int {
  package func access(_ response: HTTPURLResponse) {}  // ! uses an internal type
}
private func newest() -> Any { Expression<Int, Int>.self }  // ! only available in
"""

# A file without an import, in a module that has Foundation elsewhere; and one of an unrelated module.
IMPORT = """
import Network
private func start(_ monitor: NWPathMonitor) { monitor.start(queue: .global()) }  // ! missing import
private let session = URLSession.shared  // ! cannot find
"""

# The compiler reports what stands here while it makes SIL.
ISOLATION = """
private final class Counter { var value = 0 }
private func count(_ counter: Counter) {
  Task.detached { counter.value += 1 }  // ! risks causing data races
}
"""

# Apple's systems do not have the module.
ABSENT = "import FoundationNetworking  // ! no such module\n"

# What a class of an app has to be marked for in a new project of Xcode.
XCODE = """
import Apollo
class PlantedClient: URLSessionClient {}  // ! different actor isolation
"""


def run(check, say):
    """Gives 0 if all that was planted was reported."""
    begin = time.monotonic()
    outcomes = check.run({
        target.name for target in check.targets if target.group in ("Sources", "Plugins") or target.name == "AppPieces"})
    failed = {target for (target, _, _), outcome in outcomes.items() if outcome.what == "failed"}
    for target in failed:
        say(f"planted: {target.name} does not compile as it is; run the check without --planted")
    if failed:
        return 1
    cases = []
    for target in check.targets:
        if target.group not in ("Sources", "Plugins"):
            continue
        texts = [file.read_text() for file in target.swift_files()]
        foundation = any(re.search(r"^\s*(\w+ )?import Foundation\b", text, re.MULTILINE) for text in texts)
        strict = "MemberImportVisibility" in str(target.settings)
        types = {"Newer": TYPES}
        if foundation and strict:
            types |= {"Foundation": FOUNDATION, "Import": IMPORT}
        cases += [(target, None, types), (target, None, {"Isolation": ISOLATION})]
        if foundation:
            cases.append((target, None, {"Absent": ABSENT}))
    cases += [(target, MODES["xcode6"], {"Xcode": XCODE}) for target in check.targets if target.name == "AppPieces"]

    def job(case, system):
        return (*case, system, missing(check, *case, system))

    futures = [check.pool.submit(job, case, system) for case in cases for system in check.systems
               if case[0].version(system)]
    counts, lost = {}, 0
    for target, mode, files, system, unreported in (future.result() for future in futures):
        counts[target] = counts.get(target, 0) + sum(text.count("// !") for text in files.values())
        lost += len(unreported)
        for line in unreported:
            say(f"planted: {target.name}, {system.name}: not reported: {line}")
    for target, count in counts.items():
        say(f"planted: {target.name}: {count}")
    refusals, is_name_reported = refuses(check, say), reports_name(check, say)
    total = sum(counts.values())
    say(f"planted: {total - lost} of {total} errors were reported, each at its place; {refusals} of 2 changes of the "
        f"library were refused; a name without versions was {'' if is_name_reported else 'not '}reported "
        f"({time.monotonic() - begin:.0f} s)")
    return 0 if not lost and refusals == 2 and is_name_reported and total else 1


def missing(check, target, mode, files, system):
    """Compiles a module with some files more. Gives the lines whose error was not reported."""
    folder = check.home / "planted" / system.name / target.name
    folder.mkdir(parents=True, exist_ok=True)
    added, wanted = [], []
    for name, text in files.items():
        file = folder / f"Planted{name}.swift"
        file.write_text(one_foundation.merged(text))
        added.append(file)
        for number, line in enumerate(text.splitlines(), 1):
            if "// !" in line:
                wanted.append((str(file.relative_to(check.copies.parent.parent)), number, line.split("// ! ")[1]))
    compiler = check.compilers[system].beside()
    outcome = compiler.compile(target, mode, target.version(system), [*check.sources[target], *added])
    found = [(file, line, text) for file, line, kind, text in outcome.diagnostics if kind == "error"]
    return [f"{file}:{number}: {text} (found: {found[:3]})" for file, number, text in wanted
            if not any(file == where and number == line and text in message for where, line, message in found)]


def reports_name(check, say):
    """Whether a name of Foundation's other half that is not in the table is reported, at its line."""
    system, target = check.systems[0], next(target for target in check.targets if target.name == "ApolloCache")
    file = check.home / "planted" / "PlantedName.swift"
    file.write_text(one_foundation.merged("import Foundation\nprivate let queue = URLCache.shared\n"))
    used = foundation_symbols.names_used(check, system, [target], [], [file])
    return (f"{file.relative_to(check.copies.parent.parent)}:2" in used.get("URLCache", set())
            and "URLCache" not in foundation_symbols.read_table())


def refuses(check, say):
    """How many of two libraries in which the check could not work are noticed: one without versions, one of Linux."""
    library, count = check.libraries[check.systems[0]], 0
    for words, attempt in [
            ("a compiler that does not look at versions", lambda: library.prove(["-disable-availability-checking"])),
            ("modules that name no triple", lambda: library.retriple(b"no triple in here", "a module"))]:
        try:
            attempt()
            say(f"  not refused: {words}")
        except Refused:
            count += 1
    return count
