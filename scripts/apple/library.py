"""The toolchain's libraries for one of Apple's systems, made from those for Linux.

The standard library. The toolchain has it as text (`.swiftinterface`), with each `@available(macOS …, iOS …)`. Under
another triple the compiler makes modules for an Apple target of it. That takes a minute, and what comes out differs by the
triple alone, so it is done for one system.

Foundation. The toolchain has it as binary modules for `x86_64-unknown-linux-gnu`. These are 24 bytes, and a triple of
Apple's of the same length is written in their place. The half that is swift-foundation's tells in which versions its
declarations came; the other half (URLSession, NotificationCenter, …) does not: see foundation_symbols.py.

The C library. `stubs/Darwin.h` declares by Apple's signatures what the package uses.

Nothing of this is Apple's. A toolchain may refuse it, and `prove` looks whether it does: a check that reports nothing
would be worse than none.
"""

import hashlib
import os
import pathlib
import re
import shutil
import subprocess
import time

STUBS = pathlib.Path(__file__).parent / "stubs"
LINUX = b"x86_64-unknown-linux-gnu"


class System:
    """One of Apple's systems.

    `triple` is what the libraries are made for: any version up to the minimum that packages declare, in 24 characters.
    All have one architecture, so that the standard library of one is that of the others.
    """

    def __init__(self, name, platform, folder, triple):
        self.name, self.platform, self.folder, self.triple = name, platform, folder, triple
        self.architecture, _, system = triple.split("-")
        self.kernel = re.match("[a-z]+", system).group(0)
        self.module = f"{self.architecture}-apple-{'macos' if self.kernel == 'macosx' else self.kernel}"
        if len(triple) != len(LINUX):
            raise ValueError(f"{triple} has {len(triple)} characters, not {len(LINUX)}")

    def target(self, version):
        return f"{self.architecture}-apple-{self.kernel}{version}"


SYSTEMS = [
    System("macOS", "macos", "macosx", "arm64-apple-macosx11.0.0"),
    System("iOS", "ios", "iphoneos", "arm64-apple-ios13.0.0000"),
    System("tvOS", "tvos", "appletvos", "arm64-apple-tvos13.0.000"),
    System("watchOS", "watchos", "watchos", "arm64-apple-watchos6.0.0"),
    System("visionOS", "visionos", "xros", "arm64-apple-xros1.0.0000"),
]

# Each module stands behind those that it imports.
STANDARD = ["Swift", "SwiftOnoneSupport", "_Concurrency", "_RegexParser", "_StringProcessing", "Synchronization",
            "Observation", "RegexBuilder"]
BINARY = ["FoundationEssentials", "_FoundationCollections", "FoundationInternationalization", "Dispatch", "Foundation",
          "FoundationNetworking"]
STUBBED = ["Glibc", "FoundationOfApple", "Network", "Combine", "CoreGraphics", "SwiftUI", "HTTPTypes"]

# What the compiler asks of the standard library where Objective-C is there.
OBJECTIVE_C = """
@frozen public struct AutoreleasingUnsafeMutablePointer<Pointee> : Swift._Pointer {
  public let _rawValue: Builtin.RawPointer
  public init(_ _rawValue: Builtin.RawPointer)
}
public func _getErrorEmbeddedNSError<T>(_ x: T) -> Swift.AnyObject? where T : Swift.Error
"""


class Refused(Exception):
    """The toolchain does not do what the check needs."""


class Toolchain:
    def __init__(self):
        compiler = shutil.which("swiftc")
        if not compiler:
            raise Refused("there is no swiftc")
        self.compiler = pathlib.Path(compiler).resolve().parent / "swift-frontend"
        self.library = self.compiler.parent.parent / "lib/swift"
        self.version = subprocess.run([compiler, "--version"], capture_output=True, text=True).stdout.splitlines()[0]

    def key(self):
        """A name for the toolchain, and for everything here that the libraries are made with."""
        digest = hashlib.sha256(self.version.encode())
        for file in [pathlib.Path(__file__), *sorted(STUBS.rglob("*"))]:
            if file.is_file():
                digest.update(file.read_bytes())
        number = re.search(r"version ([\w.]+)", self.version)
        return f"{number.group(1) if number else 'swift'}-{digest.hexdigest()[:12]}"


class Library:
    """The libraries for a system, below `.build-apple/KEY/SYSTEM`."""

    def __init__(self, toolchain, system, folder):
        self.toolchain, self.system = toolchain, system
        self.folder = folder / system.name
        self.resources = self.folder / "resources"
        self.modules = self.folder / "modules"

    @property
    def is_made(self):
        return (self.folder / "made").exists()

    def flags(self, version):
        """What every call of the compiler needs."""
        return [
            "-target", self.system.target(version), "-sdk", str(self.folder / "sdk"), "-resource-dir",
            str(self.resources), "-module-cache-path", str(self.folder / "cache"), "-I", str(self.modules), "-I",
            str(STUBS / "C"), "-plugin-path", str(self.toolchain.library / "host/plugins"), "-enable-objc-interop",
        ]

    def make(self, report, like=None):
        """Makes everything anew: the standard library from that of another system, if there is one. `report` gets a line for
        each step, and its seconds."""
        shutil.rmtree(self.folder, ignore_errors=True)
        self._link()
        self._foundation()
        for name in STANDARD:
            if like:
                self._standard_like(like, name)
            else:
                report(f"{self.system.name}: {name}", self._standard(name))
        for name in STUBBED + (["XcodeProjectPlugin"] if self.system.name == "macOS" else []):
            self._stub(name)
        self.prove()
        (self.folder / "made").touch()

    def _link(self):
        self.modules.mkdir(parents=True)
        self.resources.mkdir()
        for name in ["shims", "clang", "apinotes"]:
            (self.resources / name).symlink_to(self.toolchain.library / name)
        headers = self.folder / "sdk/usr/include"
        headers.mkdir(parents=True)
        for file in (STUBS / "Darwin").iterdir():
            (headers / file.name).symlink_to(file.resolve())
        if self.system.name == "visionOS":
            # Where a declaration says nothing of visionOS, its version of iOS counts, by this file's table.
            shutil.copy(STUBS / "visionOS/SDKSettings.json", self.folder / "sdk")
        # The library that Apple's systems bring, by the header of the one that is installed here.
        for folder in ["/usr/include", "/usr/local/include"]:
            if os.path.exists(f"{folder}/sqlite3.h") and not (headers / "sqlite3.h").exists():
                (headers / "sqlite3.h").symlink_to(f"{folder}/sqlite3.h")

    def _foundation(self):
        sources = [(self.toolchain.library / "linux", name) for name in BINARY]
        if self.system.name == "macOS":
            sources.append((self.toolchain.library / "pm/PluginAPI", "PackagePlugin"))
        for folder, name in sources:
            file = folder / f"{name}.swiftmodule"
            if file.is_dir():
                file = next(iter(file.glob("*gnu.swiftmodule")), file)
            content = self.retriple(file.read_bytes(), file)
            to = self.modules / f"{name}.swiftmodule"
            to.mkdir()
            (to / f"{self.system.module}.swiftmodule").write_bytes(content)

    def retriple(self, content, file, old=LINUX):
        """A binary module with the system's triple in place of another one."""
        if old not in content:
            raise Refused(f"{file} does not name its triple")
        return content.replace(old, self.system.triple.encode())

    def _standard_file(self, name):
        return self.resources / self.system.folder / f"{name}.swiftmodule" / f"{self.system.module}.swiftmodule"

    def _standard_like(self, other, name):
        file, to = other._standard_file(name), self._standard_file(name)
        to.parent.mkdir(parents=True)
        to.write_bytes(self.retriple(file.read_bytes(), file, other.system.triple.encode()))

    def _standard(self, name):
        source = next((self.toolchain.library / "linux" / f"{name}.swiftmodule").glob("*gnu.swiftinterface"))
        text = self.folder / f"{name}.swiftinterface"
        text.write_text(retarget(name, source.read_text(), self.system))
        to = self._standard_file(name)
        to.parent.mkdir(parents=True)
        command = ["-compile-module-from-interface", str(text), "-module-name", name, "-o", str(to), "-sdk", str(self.folder / "sdk"), "-resource-dir",
                   str(self.resources), "-module-cache-path", str(self.folder / "cache"),
                   "-suppress-warnings", *(["-parse-stdlib"] if name == "Swift" else [])]
        return self._run(command, f"the standard library's {name}")

    def _stub(self, name):
        self._run(
            self.flags(re.search(r"[\d.]+$", self.system.triple).group(0)) + [
                "-emit-module", "-disable-availability-checking", "-parse-as-library", "-swift-version", "5", "-module-name", name, "-o",
                str(self.modules / f"{name}.swiftmodule"), str(STUBS / f"{name}.swift"), "-suppress-warnings",
                # (As that of Linux is, whose layout Foundation's code knows.)
                *(["-enable-library-evolution"] if name == "Glibc" else [])],
            f"the stub of {name}")

    def _run(self, arguments, what):
        begin = time.monotonic()
        result = subprocess.run([str(self.toolchain.compiler), "-frontend", *arguments], capture_output=True, text=True)
        if result.returncode != 0:
            lines = [line for line in result.stderr.splitlines() if "error:" in line] or result.stderr.splitlines()
            raise Refused(f"{self.system.name}: {what} does not compile:\n" + "\n".join(lines[:10]))
        return time.monotonic() - begin

    def prove(self, more=()):
        """Newer declarations are refused, each at its line, and what was there before is not."""
        file = STUBS / "Proof.swift"
        wanted = {number for number, line in enumerate(file.read_text().splitlines(), 1) if line.endswith("// newer")}
        result = subprocess.run(
            [str(self.toolchain.compiler), "-frontend", "-typecheck", "-parse-as-library", "-swift-version", "6",
             "-module-name", "Proof", *self.flags(MINIMUMS[self.system.name]), *more, str(file)],
            capture_output=True, text=True)
        found = {int(number) for number in re.findall(r"Proof\.swift:(\d+):\d+: error: .* is only available in",
                                                      result.stderr)}
        errors = result.stderr.count(" error: ")
        if found != wanted or errors < len(wanted):
            raise Refused(
                f"{self.system.name}: in {file.name} newer declarations stand in the lines {sorted(wanted)}; the "
                f"compiler reports {sorted(found)}:\n{result.stderr[:4000]}")


# What is compiled for these here, and of other packages. (Targets have the minimums that their manifest declares.)
MINIMUMS = {"macOS": "13.0", "iOS": "16.0", "tvOS": "16.0", "watchOS": "9.0", "visionOS": "1.0"}


def retarget(name, text, system):
    """The text interface of a module of the standard library for Linux, as one for a system."""
    lines, kept = text.replace(LINUX.decode(), system.triple).split("\n"), []
    for index, line in enumerate(lines):
        # Where the system counts, the attribute wants a body, which only inlinable functions have here.
        if line.strip().startswith("@backDeployed") and not has_body(lines, index + 1):
            continue
        kept.append(line)
    text = "\n".join(kept).replace("import Glibc", "import Darwin")
    # The library itself may use all of itself. What its functions do is of no use here, and takes most of the time.
    text = text.replace(
        "// swift-module-flags: ",
        "// swift-module-flags: -disable-availability-checking -experimental-skip-all-function-bodies ", 1)
    text = re.sub(r"^(// swift-module-flags: .*) -O ", r"\1 -Onone ", text, count=1, flags=re.MULTILINE)
    if name == "Swift":
        text += OBJECTIVE_C
        # `Float80` belongs to Intel's processors.
        text = re.sub(r"self = _stdlib_(remainderl|squareRootl)\(.*\)", "fatalError()", text)
    return text


def has_body(lines, index):
    """Whether the declaration whose attributes begin at a line has a body."""
    while lines[index].strip().startswith("@") and not re.search(r"\b(func|var|init|subscript)\b", lines[index]):
        index += 1
    return lines[index].rstrip().endswith("{")
