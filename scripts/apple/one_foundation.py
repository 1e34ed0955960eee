"""Copies of the sources in which Foundation is one module, as on Apple's systems.

Each line stays where it is, so that what the compiler says of a copy holds for the original.
"""

import re

# Modules that are not there on Apple's systems, although the compiler finds them here.
ABSENT = "FoundationNetworking|FoundationXML|FoundationEssentials|FoundationInternationalization|Glibc|Musl|Android"
IMPORT = re.compile(
    r"^(?P<before>[ \t]*(?:@\w+(?:\(\w+\))?[ \t]+)*(?:(?:public|package|internal|fileprivate|private)[ \t]+)?import)[ \t]+"
    rf"(?P<module>Foundation|{ABSENT})\b[ \t]*(?=$|//|;)", re.MULTILINE)
CAN_IMPORT = re.compile(rf"\bcanImport\((?:{ABSENT})\)")
# What Apple's Foundation consists of here.
PARTS = ["Foundation", "FoundationNetworking", "FoundationOfApple"]


def merged(text):
    def replacement(match):
        before, module = match["before"], match["module"]
        if module != "Foundation":
            return f"{before} {module}_which_Apple_does_not_have"
        return "; ".join(f"{before} {part}" if index == 0 else f"{before.strip()} {part}"
                         for index, part in enumerate(PARTS))

    return CAN_IMPORT.sub("NOT_ON_APPLE", IMPORT.sub(replacement, text))


def without_frameworks(text):
    """A file of another package, without the parts for Combine and UIKit, of which there is not enough here."""
    text = text.replace("canImport(Combine)", "NOT_IN_THE_STUBS")
    return text.replace("os(iOS)", "NOT_IN_THE_STUBS") if "import UIKit" in text else text


def copy(file, root, folder, is_ours=True):
    """Writes the copy of a file, and gives its path."""
    to = folder / file.relative_to(root)
    text = merged(file.read_text())
    if not is_ours:
        text = without_frameworks(text)
    if not to.exists() or to.read_text() != text:
        to.parent.mkdir(parents=True, exist_ok=True)
        to.write_text(text)
    return to
