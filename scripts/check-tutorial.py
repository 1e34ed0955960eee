#!/usr/bin/env python3
"""Checks that the code of the tutorials is that of the examples: each of its files is the example's, some with lines left out."""
import pathlib
import re
import sys

root = pathlib.Path(__file__).parent.parent
# The example of each tutorial, by the module whose tutorial it is.
EXAMPLES = {"ApolloPagination": "Feed", "ApolloUI": "Rockets"}
mistakes = []
for folder in sorted(root.glob("Sources/*/*.docc/Tutorial/Code")):
    example = root / "Examples" / EXAMPLES[folder.relative_to(root).parts[1]]
    originals = {file.name: file for file in example.rglob("*") if file.is_file()}
    for file in sorted(folder.iterdir()):
        original = originals[re.sub(r"-\d+(?=\.)", "", file.name)]
        rest = iter(original.read_text().splitlines())
        for number, line in enumerate(file.read_text().splitlines(), 1):
            if line not in rest:
                mistakes.append(f"{file.relative_to(root)}:{number}: not in {original.relative_to(root)}: {line}")
                break
print("\n".join(mistakes), file=sys.stderr, end="\n" if mistakes else "")
sys.exit(1 if mistakes else 0)
