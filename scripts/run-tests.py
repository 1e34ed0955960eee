#!/usr/bin/env python3
"""Runs the tests that are built, shows what fails, and ends a run in which nothing moves.

usage: run-tests.py [--examples | --sanitize KIND] [--stall SECONDS] [--quiet] [OPTIONS OF SWIFT TESTING, such as --filter...]

- The program with the tests is started directly: between it and this script, `swift test` now and then stopped passing on
  what was printed, and left the program behind when it was ended.
- If no test begins or ends for --stall seconds (180), what each thread does is printed, then the tests that run, and the
  run is ended. (What is printed does not tell them from those that have their turn later; the stream of events does.)
- What failed is printed once more at the end, and written to the file that APOLLO_FAILURES names.
- A run that crashes in libdispatch's list of sockets is repeated once, and says so: on Linux that list is now and then used
  after it was freed, when URLSession ends many connections at once (swiftlang/swift-corelibs-libdispatch, issue 949).
- --sanitize builds the tests with a sanitizer, `thread` or `address`, in a folder of its own, and runs those. (`swift test`
  builds them and runs nothing, since the tests have an entry point of their own.)
- What is skipped is written to the file that APOLLO_LEFT_OUT names.
- --quiet prints the end only.
"""

import argparse
import collections
import json
import os
import pathlib
import queue
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time

MOVED = re.compile(r"^[◇✔✘➜] (?:Test|Suite) ")
FAILURE = re.compile(r"recorded an issue|^[^ ]*error:|Fatal error|Program crashed|Client not shut down")
CRASHED_THREAD = re.compile(r"^Thread \d+ .*crashed:")
OTHER_THREAD = re.compile(r"^(Thread \d+|Registers:|Images)")
FRAME = re.compile(r"\s*(\d+)\s+(\[\w+\]\s+)?0x\w+")
SANITIZER = re.compile(r"(WARNING|ERROR): \w+Sanitizer")
SKIPPED = re.compile(r'➜ (Test|Suite) .* (?:skipped|was cancelled after [^:]*): "(.*)"')
SUMMARY = re.compile(r"Test run with .* (?:passed|failed) after")


class Progress:
    """What failed, what was skipped, and how it ended."""

    def __init__(self):
        self.failures, self.summary, self.rest, self.fault_of_system = [], "", 0, None
        self.crashed = self.is_in_report = False
        self.skipped = collections.Counter()

    def read(self, line):
        """Returns whether the line says that a test has begun or ended."""
        if FAILURE.search(line) and not line.startswith(("◇", "✔")):
            self.failures.append(line)
            # The lines below an issue say what was expected.
            self.rest = 3
        elif self.rest and not line.startswith(("◇", "✔", "✘")):
            self.failures.append(line)
            self.rest -= 1
        # The frames of the thread that crashed. The first one tells of a fault of the system.
        if self.crashed and (frame := FRAME.match(line)):
            self.failures.append(line)
            if frame[1] == "0" and "_dispatch_event_loop_drain" in line:
                self.fault_of_system = "crashed in libdispatch"
        elif CRASHED_THREAD.search(line):
            self.failures.append(line)
            self.crashed = True
        elif OTHER_THREAD.match(line):
            self.crashed = False
        # The report of a sanitizer, from its first line to its summary.
        self.is_in_report = self.is_in_report or bool(SANITIZER.search(line))
        if self.is_in_report:
            self.failures.append(line)
            self.is_in_report = not line.startswith("SUMMARY: ")
        if SUMMARY.search(line):
            self.summary = line
        if found := SKIPPED.search(line):
            self.skipped[found[2]] += 1
        return bool(MOVED.search(line))


def running(events):
    """Which test cases have begun and not ended, by the stream of events in a file.

    Tests without arguments tell of no cases, and say that they have begun when they wait for their turn. So those are
    named that have, where few are left.
    """
    names, begun, waiting = {}, {}, {}
    for line in events.read_text(errors="replace").splitlines():
        try:
            record = json.loads(line)
        except ValueError:
            # The last line may be cut off.
            continue
        payload = record["payload"]
        if record["kind"] == "test":
            names[payload["id"]] = payload.get("displayName", payload["name"])
            if payload["kind"] == "function" and not payload.get("isParameterized"):
                waiting[payload["id"]] = False
        elif payload["kind"] in ("testCaseStarted", "testCaseEnded"):
            case = payload.get("_testCase", {})
            key = (payload["testID"], case.get("id"))
            if payload["kind"] == "testCaseEnded":
                begun.pop(key, None)
            else:
                begun[key] = f'{names.get(payload["testID"], payload["testID"])}  {case.get("displayName", "")}'.strip()
        elif payload["kind"] in ("testStarted", "testEnded", "testSkipped") and payload["testID"] in waiting:
            waiting[payload["testID"]] = payload["kind"] == "testStarted"
    alone = [names[test] for test, has_begun in waiting.items() if has_begun]
    if len(alone) > 40:
        alone = [f"{len(alone)} tests without arguments, most of which wait for their turn"]
    return [f"  {name}" for name in [*begun.values(), *alone]]


def lines_of(process):
    """The lines that a process prints, in a queue; None is the end."""
    lines = queue.Queue()

    def read():
        for line in process.stdout:
            lines.put(line.rstrip("\n"))
        lines.put(None)

    threading.Thread(target=read, daemon=True).start()
    return lines


def scratch_path(options):
    if options.sanitize:
        return ["--scratch-path", f".build-{options.sanitize}"]
    # (See scripts/swift.sh.)
    return ["--scratch-path", ".build-traits"] if "APOLLO_TRAITS" in os.environ else []


def program(options):
    """The program with the tests of the package, or of its examples."""
    folder = subprocess.run(
        ["swift", "build", *scratch_path(options), "--show-bin-path"], stdout=subprocess.PIPE, text=True, check=True).stdout.strip()
    name = "Examples" if options.examples else "apollo-swift"
    program = pathlib.Path(folder, name + "PackageTests.xctest")
    if not program.exists():
        build = "build --examples --build-tests" if options.examples else "build --build-tests"
        sys.exit(f"{program} is not there. Run `scripts/swift.sh {build}` first.")
    return program


def children_of(pid):
    """The numbers of the processes that a process has started, and of theirs, which a test may wait for."""
    listed = subprocess.run(["pgrep", "-P", pid], stdout=subprocess.PIPE, text=True)
    return [each for child in listed.stdout.split() for each in (child, *children_of(child))]


def file_of(pid):
    """The program that a process runs, by its path; empty if it has ended, and on systems without /proc."""
    try:
        return os.readlink(f"/proc/{pid}/exe")
    except OSError:
        return ""


def threads_of(pid):
    """What each thread of a process does, by the first debugger that works."""
    for command in (["lldb", "--batch", "-p", pid, "-o", "thread backtrace all"],
                    ["gdb", "--batch", "-p", pid, "-ex", "thread apply all backtrace"]):
        try:
            text = subprocess.run(
                command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                errors="replace", timeout=120, check=True).stdout
        except (OSError, subprocess.SubprocessError) as error:
            failure = error
        else:
            return text.splitlines()[-150:]
    return [f"The threads cannot be shown: {failure}"]


def run(options, arguments):
    events = pathlib.Path(tempfile.mkdtemp()) / "events"
    events.touch()
    command = [str(program(options)), "--testing-library", "swift-testing"]
    command += ["--event-stream-output-path", str(events), "--event-stream-version", "0"]
    # In a group of its own: a run that is ended takes along what it has started.
    process = subprocess.Popen(
        command + arguments, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace",
        start_new_session=True, env=os.environ | {"NO_COLOR": "1"})
    lines, progress, moved = lines_of(process), Progress(), time.monotonic()
    while True:
        try:
            line = lines.get(timeout=1)
        except queue.Empty:
            line = ""
        if line is None:
            break
        if line:
            if not options.quiet:
                print(line, flush=True)
            if progress.read(line):
                moved = time.monotonic()
        if time.monotonic() - moved > options.stall:
            # The tests come last: where a report is cut, its end is what is kept.
            tests = running(events)
            for pid in [str(process.pid), *children_of(str(process.pid))]:
                name = file_of(pid)
                progress.failures.append(f"Process {pid} ({name}):")
                # Programs that are not built here, such as servers, say nothing by their threads.
                if name in ("", file_of(process.pid)):
                    progress.failures += threads_of(pid)
            progress.failures += [f"Nothing has moved for {options.stall} seconds. These tests were running:"] + tests
            os.killpg(process.pid, signal.SIGKILL)
            break
    status = process.wait()
    if status and not progress.summary and not any("Nothing has moved" in line for line in progress.failures):
        progress.failures += ["These tests were running at the end:"] + running(events)
    if status and not progress.failures:
        progress.failures.append(f"The program with the tests ended with status {status}.")
    shutil.rmtree(events.parent)
    return status, progress


def main():
    parser = argparse.ArgumentParser(usage=__doc__.split("usage: ")[1].split("\n")[0])
    parser.add_argument("--stall", type=int, default=180)
    parser.add_argument("--quiet", action="store_true")
    parser.add_argument("--examples", action="store_true")
    parser.add_argument("--sanitize", choices=["thread", "address"])
    options, arguments = parser.parse_known_args()
    if options.sanitize:
        environment = {**os.environ, "APOLLO_SANITIZER": options.sanitize}
        if status := subprocess.run(["scripts/swift.sh", "build", "--build-tests"], env=environment).returncode:
            sys.exit(status)
    status, progress = run(options, arguments)
    if status and progress.fault_of_system:
        # What shows the cause.
        print("\n".join(progress.failures[-200:]), file=sys.stderr)
        print(f"\nThe run {progress.fault_of_system} (see run-tests.py), and is repeated once.\n", file=sys.stderr, flush=True)
        status, progress = run(options, arguments)
    if status:
        report = "\n".join(progress.failures[-200:])
        print(f"\n{report}", file=sys.stderr)
        if file := os.environ.get("APOLLO_FAILURES"):
            with open(file, "a") as out:
                out.write(report + "\n")
    elif not progress.summary or re.search(r"with 0 tests", progress.summary):
        print("No test ran.", file=sys.stderr)
        status = 1
    if file := os.environ.get("APOLLO_LEFT_OUT"):
        with open(file, "a") as out:
            out.writelines(f"{count} suites and tests ({reason})\n" for reason, count in progress.skipped.items())
    if options.quiet:
        print(progress.summary)
    sys.exit(1 if status else 0)


main()
