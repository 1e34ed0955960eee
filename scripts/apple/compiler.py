"""Runs the compiler on one module for one system, and reads what it says."""

import copy
import os
import re
import subprocess
import time

from one_foundation import PARTS

DIAGNOSTIC = re.compile(r"^(?P<file>[^\s:][^:]*):(?P<line>\d+):(?P<column>\d+): (?P<kind>error|warning): (?P<text>.*)$")
# What is said of one of the modules that one import of Foundation has become.
OF_IMPORT = re.compile(rf"(?P<before>(?:public|package) import of|module) '(?:{'|'.join(PARTS)})'(?P<after>.*)")
ENVIRONMENT = {**os.environ, "SWIFT_BACKTRACE": "enable=no", "LLVM_DISABLE_SYMBOLIZATION": "1"}


class Mode:
    """The settings of an app that compiles code of this package as its own."""

    def __init__(self, name, words, flags):
        self.name, self.words, self.flags = name, words, flags


XCODE = ["-default-isolation", "MainActor"] + [
    flag for feature in ["MemberImportVisibility", "DisableOutwardActorInference", "GlobalActorIsolatedTypesUsability",
                         "InferIsolatedConformances", "InferSendableFromCaptures", "NonisolatedNonsendingByDefault"]
    for flag in ("-enable-upcoming-feature", feature)]
# In Swift 6 mode some of these features are on anyway, and must not be asked for.
IN_SWIFT_6 = {"DisableOutwardActorInference", "GlobalActorIsolatedTypesUsability", "InferSendableFromCaptures"}
XCODE_6 = [flag for index, flag in enumerate(XCODE)
           if flag not in IN_SWIFT_6 and not (index + 1 < len(XCODE) and XCODE[index + 1] in IN_SWIFT_6)]

MODES = {
    "6": Mode("6", "Swift 6", ["-swift-version", "6", "-enable-bare-slash-regex"]),
    "5": Mode("5", "Swift 5", ["-swift-version", "5"]),
    "xcode": Mode("xcode", "Xcode's defaults", ["-swift-version", "5", *XCODE]),
    "xcode6": Mode("xcode6", "Xcode's in Swift 6", ["-swift-version", "6", *XCODE_6]),
}


class Outcome:
    """What was done with one module: its SIL was made, or only its types were checked."""

    def __init__(self, what, diagnostics, seconds):
        self.what, self.diagnostics, self.seconds = what, diagnostics, seconds


class Compiler:
    def __init__(self, toolchain, root, library, modules, copies, maps):
        self.toolchain, self.root, self.library = toolchain, root, library
        self.modules, self.copies, self.maps = modules, copies, maps
        self.emits = True
        modules.mkdir(parents=True, exist_ok=True)

    def flags(self, target, mode, version):
        return [
            *self.library.flags(version), "-I", str(self.modules), "-module-name", target.module, *target.flags(mode),
            *[flag for file in self.maps for flag in ("-Xcc", f"-fmodule-map-file={file}")]]

    def beside(self):
        """A compiler with the same modules, which leaves them as they are."""
        other = copy.copy(self)
        other.emits = False
        return other

    def dependency(self, target, version, files):
        """The module of another package, whose functions are not looked at."""
        begin = time.monotonic()
        result = self._run([
            "-emit-module", "-experimental-skip-all-function-bodies", "-suppress-warnings", "-o", self._module(target),
            *self.flags(target, None, version), *map(str, files)])
        found = self._diagnostics(result, [])
        if result.returncode != 0:
            return Outcome("failed", found or [("", 0, "error", result.stderr.strip()[-2000:])], 0)
        return Outcome("module", [], time.monotonic() - begin)

    def compile(self, target, mode, version, files, makes_sil=True):
        """Compiles a module. With the settings of its manifest (mode None), those that need it find it afterwards.

        SIL takes two thirds of the time. Without it, types are checked.
        """
        begin = time.monotonic()
        flags = self.flags(target, mode, version)
        sources = [str(file) for file in files]
        emit = [] if mode or not self.emits else ["-emit-module-path", self._module(target)]
        what = "SIL" if makes_sil else "types"
        if makes_sil:
            result = self._run(["-emit-sil", "-o", "/dev/null", *emit, *flags, *sources])
            if result.returncode < 0 or "Stack dump" in result.stderr or "Please submit a bug report" in result.stderr:
                what = "types"
        if what == "types":
            result = self._run(["-typecheck", *flags, *sources])
            if emit:
                self._run(["-emit-module", "-experimental-skip-all-function-bodies", "-o", self._module(target), *flags,
                           *sources])
        elif result.returncode != 0 and emit:
            # Those that need it are looked at all the same.
            self._run(["-emit-module", "-experimental-skip-all-function-bodies",
                       "-experimental-allow-module-with-compiler-errors", "-o", self._module(target), *flags, *sources])
        found = self._diagnostics(result, sources)
        if result.returncode != 0 and not any(kind == "error" for _, _, kind, _ in found):
            found.append(("", 0, "error", f"the compiler ended with {result.returncode}: {result.stderr.strip()[-2000:]}"))
        if any(kind == "error" for _, _, kind, _ in found):
            what = "failed"
        return Outcome(what, found, time.monotonic() - begin)

    def index(self, target, version, files, store):
        """Writes down what every name in a module means (see foundation_symbols.py). Gives whether that was possible."""
        units = self.modules / f"{target.module}.units"
        units.write_text("".join(f"{file}.o\n" for file in files))
        result = self._run([
            "-typecheck", "-suppress-warnings", "-index-store-path", str(store), "-index-ignore-stdlib",
            "-index-ignore-clang-modules", "-index-unit-output-path-filelist", str(units),
            *self.flags(target, None, version), *map(str, files)])
        return result.returncode == 0

    def _module(self, target):
        return str(self.modules / f"{target.module}.swiftmodule")

    def _run(self, arguments):
        command = [str(self.toolchain.compiler), "-frontend", *arguments]
        return subprocess.run(command, capture_output=True, text=True, env=ENVIRONMENT, errors="replace")

    def original(self, file):
        """The path of the file that a copy was made of."""
        folder = next((folder for folder in (self.copies, self.root) if file.startswith(str(folder))), "/")
        return os.path.relpath(file, folder) if folder != "/" else file

    def _diagnostics(self, result, sources):
        """Errors and warnings as (file, line, kind, text), by the paths of the originals."""
        found, imports = [], {}
        for line in result.stderr.splitlines():
            match = DIAGNOSTIC.match(line)
            if not match:
                if line.startswith("<unknown>:0: error:"):
                    found.append(("", 0, "error", line.split("error: ")[1]))
                continue
            file = self.original(match["file"])
            entry = (file, int(match["line"]), match["kind"], match["text"])
            of_import = OF_IMPORT.match(match["text"])
            if of_import:
                text = f"{of_import['before']} 'Foundation'{of_import['after']}"
                imports.setdefault((*entry[:3], text), set()).add(match["text"])
            elif entry not in found:
                found.append(entry)
        # The import is unused if all that it has become are.
        return found + [
            entry for entry, texts in imports.items() if len(texts) == len(PARTS) or "was not used" not in entry[3]]
