#!/usr/bin/env bash
# House rules that a program can check.
set -uo pipefail
cd "$(dirname "$0")/.."
status=0
complain() {
  echo "lint: $1" >&2
  status=1
}

sources=$(git ls-files '*.swift' | grep -vE '(\.graphql\.swift$|/Fixtures/|/Generated/)')

# 1. Formatting
# (Long literals in tests are what they are: a response, an expected text.)
output=$(echo "$sources" | xargs swift format lint --strict --parallel 2>&1 | grep -vE '^(Tests|Benchmarks|Fuzzing|Package\.swift).*\[LineLength\]')
if [ -n "$output" ]; then
  echo "$output" | head -40 >&2
  complain "formatting differs; run 'make format'"
fi

# Each public declaration of a product has a documentation comment that fits it. (Tests and examples need none.)
documented=$(sed -E 's/("(AllPublicDeclarationsHaveDocumentation|ValidateDocumentationComments)"): false/\1: true/' .swift-format)
output=$(echo "$sources" | grep '^Sources/' | xargs swift format lint --strict --parallel --configuration "$documented" 2>&1 |
  grep -E '\[(AllPublicDeclarationsHaveDocumentation|ValidateDocumentationComments)\]')
if [ -n "$output" ]; then
  echo "$output" | head -40 >&2
  complain "documentation comments are missing or do not fit their declarations"
fi

# 2. No Foundation where generated code, or the front end, must do without it
for target in ForeignText ApolloDigest GraphQLJSON GraphQLSyntax GraphQLSchema GraphQLValidation GraphQLExecution ApolloDirectives ApolloIR ApolloSwiftRenderer ApolloAPI; do
  if grep -rnE '^\s*(public |package |internal |private |@_exported )*import (Foundation|FoundationEssentials|Dispatch)\b' "Sources/$target"; then
    complain "$target must not import Foundation"
  fi
done

# 3. Memory that is handled by hand, in the places whose first lines say what has to hold there, and nowhere else. (The
# renderer's naming lists such words, and uses none. A task that cancels itself handles no memory.)
by_hand='Unsafe[^C]|UnsafeC[^u]|Unmanaged|unsafe(Address|MutableAddress|BitCast|Downcast)|withUTF8|utf8Start|\bmem(cpy|move|cmp)\b'
if grep -rnE "$by_hand" Sources --include='*.swift' |
  grep -vE '^Sources/(ApolloAPI/((Models|Records)/)?Memory|GraphQLSyntax/(Lexer|Source)|ApolloSwiftRenderer/Naming|GraphQLJSON/UTF8Validation\.swift)[/:]'; then
  complain "pointers belong to the folders Memory of Sources/ApolloAPI, the lexer in Sources/GraphQLSyntax, and the check of UTF-8"
fi
for file in $(grep -lrE "$by_hand" Sources/ApolloAPI/{,Models/,Records/}Memory --include='*.swift'); do
  grep -qE '\*\*Invariants?\b' "$file" || complain "$file uses pointers and does not say what has to hold (**Invariants.**)"
done

# A constant of a type that is not Sendable may cross between threads, if the comment above it says why that is safe
# (ApolloConcurrency/Handoff.swift has the kinds).
find Sources -name '*.swift' -not -path '*/Memory/*' -exec awk '
  FNR == 1 { reason = 0 }
  /nonisolated\(unsafe\)/ && !/^ *\/\// && (!reason || !/ let /) { print FILENAME ":" FNR ":" $0; bad = 1 }
  /^ *\/\/ Safe: / { reason = 1; next }
  !/^ *(\/\/|@)/ { reason = 0 }
  END { exit bad }' {} + || complain "nonisolated(unsafe) is for constants, below a comment that begins with 'Safe:'"

# An `Int` has 32 bits on some watches.
scripts/check-widths.py || complain "what does not fit an Int of 32 bits (see scripts/check-widths.py)"

# No privacy manifest is needed as long as the modules that apps link use none of the APIs for which Apple wants a reason.
with_reason='systemUptime|mach_absolute_time|UserDefaults|creationDate|odificationDate|volumeAvailableCapacity|systemFreeSize|systemSize|\bstatv?fs\b|\b[fl]?stat\(|getattrlist|activeInputModes'
if grep -rnE "$with_reason" Sources/Apollo Sources/Apollo{API,Foundation,Cache,Concurrency,Transport,Operations,HTTP,RequestChain,Outbox,WebSocket,Pagination,SQLite,TestSupport,Core} --include='*.swift'; then
  complain "an API for which Apple wants a reason, in a privacy manifest (see Docs/apple.md)"
fi

# What is syntax is decided by bytes or scalars in parsers and renderers. A `Character` can be a quotation mark that is
# joined with a mark before or behind it, and `String.contains` and `==` take such a one for something else. Characters
# are right for columns, and do no harm in names, which are ASCII, and in addresses, which are compared with our own.
by_character='\bCharacter\b|\.is(Newline|Whitespace|Letter|Number|Punctuation|Symbol)\b|\.contains\("[^"]*[^"A-Za-z]|\.contains\(where: \{ ?\$0 ==|\.(split|firstIndex|lastIndex|firstRange|replacing)\((separator: |of: )?"|(first|last) == "'
if grep -rnE "$by_character" Sources/{GraphQLSyntax,GraphQLSchema,ApolloDirectives,ApolloIR,ApolloSwiftRenderer} --include='*.swift' | grep -vE '^[^:]+:[0-9]+: *//' |
  grep -vE '^Sources/(GraphQLSyntax/Diagnostics/(TerminalStyle|Excerpt)|ApolloSwiftRenderer/Naming/\w+|GraphQLSchema/Link/\w+|ApolloDirectives/Definitions/(DirectiveArguments|PolicyDirective))\.swift:'; then
  complain "syntax is decided by scalars or bytes, not by Character or String.contains"
fi

# Dates and waits go by the clock of the client (`ClientClock`). These are left: what names files that other launches find
# or make, and what holds a thread until another process, or Foundation, is done.
by_device='Task\.sleep|asyncAfter|\bDate\(\)|\bDate\.now|timeIntervalSinceNow|(Continuous|Suspending)Clock\.now|(^|[^A-Za-z0-9_)}?])\.now\b|\bTimer\(|wait\(timeout'
if grep -rnE "$by_device" Sources/Apollo{,API,Foundation,Cache,Concurrency,Transport,Operations,HTTP,RequestChain,Outbox,WebSocket,Pagination,SQLite,AsyncHTTP} --include='*.swift' |
  grep -vE '^[^:]+:[0-9]+: *//' |
  grep -vE '^Sources/(ApolloCache/Clock/ClientClock|ApolloSQLite/File/(PutAside|DatabaseFile)|ApolloHTTP/Session/DelegateQueue|ApolloHTTP/Request/MultipartFormData)\.swift:'; then
  complain "time goes by the clock of the client (Sources/ApolloCache/Clock)"
fi

# The tutorial's code is that of the example.
scripts/check-tutorial.py || complain "the tutorial has code that its example does not have"

# Plain English
scripts/plain.py || complain "words that plain English does without (see scripts/plain.py)"

# Which folders use each other, and what the targets of this package offer each other
python3 scripts/rooms.py --check || complain "API/rooms.txt or API/package.txt differs"

# 4. Files that have grown too long to read
for file in $sources; do
  lines=$(wc -l < "$file")
  if [ "$lines" -gt 400 ] && ! head -5 "$file" | grep -q 'over 400 lines'; then
    complain "$file has $lines lines; split it, or say why in its first lines"
  fi
done

# 5. A file that two packages share is a link. A tool that edits in place may leave a copy, which then goes its own way.
copies=$(git ls-files -s 'Tests/*.swift' 'Fuzzing/*.swift' 'Plugins/*.swift' 'Sources/*.swift' | grep -vE '(\.graphql\.swift$|/Fixtures/)' |
  awk '$1 != 120000 { if ($2 in seen) print seen[$2] " and " $4; seen[$2] = $4 }')
if [ -n "$copies" ]; then
  echo "$copies" >&2
  complain "files that are the same: one of them should be a link"
fi

# 6. What Package.swift says of imports, products and the version
swift package dump-package 2>/dev/null | python3 scripts/check-package.py || complain "Package.swift and the sources or README differ"

exit $status
