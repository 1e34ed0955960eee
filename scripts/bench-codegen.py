#!/usr/bin/env python3
"""Measures the generator, and what it generates.

usage: scripts/bench-codegen.py [--update]

1. Wall time of the tool on GitHub's schema with a real app's operations: into an empty folder, and with nothing changed.
2. Wall time and peak memory on the same schema with 300 nested fragments and up to 2,000 operations.
3. Lines and bytes of 40 queries with 40 fragments, and what compiling them costs beside Codable structs of the same
   shape. Lines and bytes have to be those of Benchmarks/codegen-ledger.txt; --update writes it.

Times are reported, and nothing depends on them.
"""

import glob
import os
import pathlib
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
SAMPLE = ROOT / "Benchmarks/Codegen"
LEDGER = ROOT / "Benchmarks/codegen-ledger.txt"
SHARED = pathlib.Path(os.environ.get("APOLLO_SHARED", ROOT / "../shared")).resolve()
COUNT = 40
ROUNDS = 5


def measure(arguments):
    """Wall seconds, user and system seconds, and peak memory in MB of one run."""
    start = time.monotonic()
    process = subprocess.Popen([str(argument) for argument in arguments])
    _, status, usage = os.wait4(process.pid, 0)
    wall = time.monotonic() - start
    if status != 0:
        sys.exit(f"bench-codegen: failed: {' '.join(map(str, arguments))}")
    return wall, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def generate(tool, schema, operations, output, access="internal"):
    return measure(
        [tool, "generate", "--quiet", "--access", access, "--schema", schema, "--operations", operations, "--output", output]
    )


def real_project(tool, folder):
    project = SHARED / "projects/gitscope-github"
    if not project.exists():
        print(f"skipped: {project} is not there")
        return
    cold, unchanged = [], []
    for run in range(11):
        output = folder / f"gitscope-{run}"
        cold.append(generate(tool, project / "schema.json", project / "ops/**/*.graphql", output)[0])
        unchanged.append(generate(tool, project / "schema.json", project / "ops/**/*.graphql", output)[0])
    for name, times, aim in [("into an empty folder", cold, 150), ("with nothing changed", unchanged, 60)]:
        times = sorted(1000 * seconds for seconds in times)
        print(f"GitHub's schema, {name}: best {times[0]:.0f} ms, median {times[5]:.0f} ms (aim: {aim} ms)")


def synthetic_fragments():
    """30 chains of 10 fragments. Each spreads the next one, in two places."""
    for chain in range(30):
        for level in range(10):
            more = f"...F{chain}_{level + 1}" if level < 9 else "bio"
            yield (
                f"fragment F{chain}_{level} on User {{ id login name company{level % 3}: company "
                f"followers(first: 10) {{ totalCount nodes {{ id login {more} }} }} "
                f"status {{ emoji message }} {more} "
                f"repositories(first: 5) {{ nodes {{ id name forkCount owner {{ login ... on User {{ name }} }} }} }} }}\n"
            )


def synthetic_operation(number):
    return (
        f"query Synthetic{number}($login: String!, $first: Int! = 10, $full: Boolean! = false) {{\n"
        f"  user(login: $login) {{ ...F{number % 30}_{number % 7} email @include(if: $full) location\n"
        f"    issues(first: $first) {{ totalCount nodes {{ id title state author {{ login }} }} }} }}\n"
        f"  repository(owner: $login, name: \"n{number}\") {{ id description isPrivate\n"
        f"    issueOrPullRequest(number: {number}) {{ ... on Issue {{ id title }} ... on PullRequest {{ id merged }} }} }}\n"
        f"}}\n"
    )


def synthetic(tool, folder):
    schema = SHARED / "projects/gitscope-github/schema.json"
    if not schema.exists():
        return
    for count in [500, 1000, 2000]:
        inputs = folder / f"synthetic-{count}"
        inputs.mkdir()
        (inputs / "Fragments.graphql").write_text("".join(synthetic_fragments()))
        for number in range(count):
            (inputs / f"Synthetic{number}.graphql").write_text(synthetic_operation(number))
        runs = [generate(tool, schema, inputs / "*.graphql", folder / f"out-{count}-{run}") for run in range(3)]
        wall, cpu, memory = min(runs)
        print(
            f"{count} operations, 300 fragments: {wall:.2f} s wall, {cpu:.2f} s CPU, {memory:.0f} MB"
            + (" (aim: 2 s, 500 MB)" if count == 2000 else "")
        )


def compile_sample(name, source, folder, modules):
    """Seconds of CPU, and bytes of machine code with what belongs to it, as `size` counts them."""
    target = folder / f"{name}.o"
    _, cpu, _ = measure(
        ["swiftc", "-O", "-wmo", "-parse-as-library", "-swift-version", "6", "-module-name", "Sample", "-I", modules,
         "-c", "-o", target, *sorted(source.glob("*.swift"))])
    text = subprocess.run(["size", target], capture_output=True, text=True, check=True).stdout.split()[6]
    return cpu, int(text)


def sample(tool, folder, modules):
    """Lines and bytes, which are the same everywhere, and then what compiling costs here."""
    inputs, ours, codable = (folder / name for name in ["sample", "sample-generated", "sample-codable"])
    inputs.mkdir()
    codable.mkdir()
    for number in range(COUNT):
        for template, target in [
            ("query.graphql.template", inputs / f"HeroDetails{number}.graphql"),
            ("fragment.graphql.template", inputs / f"CharacterCard{number}.graphql"),
            ("codable.swift.template", codable / f"HeroDetails{number}.swift"),
        ]:
            target.write_text((SAMPLE / template).read_text().replace("NNN", str(number)))
    shutil.copy(SAMPLE / "codable-common.swift", codable)
    generate(tool, SAMPLE / "sample.graphqls", inputs / "*.graphql", ours, "public")
    texts = [path.read_text() for path in ours.glob("*.swift")]
    lines, size = sum(text.count("\n") for text in texts), sum(len(text.encode()) for text in texts)
    fixed = f"{COUNT} queries with {COUNT} fragments: {lines} lines, {size} bytes"

    sources = {"generated": ours, "Codable": codable}
    rounds = [
        {name: compile_sample(name, source, folder, modules) for name, source in sources.items()} for _ in range(ROUNDS)
    ]
    costs = {}
    for name in sources:
        seconds, text = statistics.median(cost[name][0] for cost in rounds), rounds[0][name][1]
        costs[name] = (seconds, text)
        print(f"{name}: {seconds:.1f} s CPU (-O -wmo, median of {ROUNDS}), {text / 1000:.0f} kB text")
    ratio = statistics.median(cost["generated"][0] / cost["Codable"][0] for cost in rounds)
    size = costs["generated"][1] / costs["Codable"][1]
    print(fixed)
    print(f"compiling takes {ratio:.2f} of the CPU that Codable takes (aim: 0.68), text {size:.2f} (aim: 0.75)")
    return fixed, costs, ratio


def main():
    subprocess.run(["swift", "build", "-c", "release", "--product", "apollo-codegen"], cwd=ROOT, check=True)
    subprocess.run(["swift", "build", "-c", "release", "--target", "ApolloAPI"], cwd=ROOT, check=True)
    binaries = pathlib.Path(
        subprocess.run(["swift", "build", "-c", "release", "--show-bin-path"], cwd=ROOT, check=True, capture_output=True,
                       text=True).stdout.strip())
    tool = binaries / "apollo-codegen"
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        real_project(tool, folder)
        synthetic(tool, folder)
        fixed, costs, ratio = sample(tool, folder, binaries / "Modules")
    if "--update" in sys.argv:
        LEDGER.write_text(
            "# Written by scripts/bench-codegen.py --update. The first line is checked; costs are those of one machine.\n"
            + fixed + "\n"
            + "".join(f"{name}: {cpu:.1f} s of compile CPU (-O -wmo), {text} bytes of text\n"
                      for name, (cpu, text) in costs.items())
            + f"ratio of compile CPU: {ratio:.2f}\n")
    elif not LEDGER.exists() or fixed not in LEDGER.read_text().splitlines():
        sys.exit(f"bench-codegen: {LEDGER.name} says something else. If it is meant, run with --update.")


main()
