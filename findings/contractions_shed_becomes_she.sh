#!/usr/bin/env bash
# contractions 0.1.73 turns a shed and a shell into women.
#
# Guess: `contractions.fix("The shell lay in the shed.")` leaves nouns alone, as it leaves "hell"; "shes"
#   and "hes" are treated alike.
# Behaviour: it writes "The she will lay in the she would". Forms without an apostrophe are expanded even
#   where they are words of their own: shell and shed, though not "hell"; "shes" becomes "she is", "hes"
#   stays. So this step of preprocessing adds pronouns of women that no author wrote: a count of mentions
#   finds women in ballistics and gardening, and a swap of gender changes those texts.
# Versions: Python 3.11, contractions 0.1.73.
# Output seen:
#   The shell lay in the shed. -> The she will lay in the she would.
#   Trees shed their leaves. -> Trees she would their leaves.
#   Bash is a shell. -> Bash is a she will.
#   It was hell. -> It was hell.
#   shes late -> she is late
#   hes late -> hes late
set -euo pipefail
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
python3 -m venv "$place/v"
"$place/v/bin/pip" install -q contractions==0.1.73
cat > "$place/try.py" <<'PY'
import contractions

for text in ("The shell lay in the shed.", "Trees shed their leaves.", "Bash is a shell.", "It was hell.", "shes late", "hes late"):
    print(f"{text} -> {contractions.fix(text)}")
PY
cat > "$place/expected" <<'TXT'
The shell lay in the shed. -> The she will lay in the she would.
Trees shed their leaves. -> Trees she would their leaves.
Bash is a shell. -> Bash is a she will.
It was hell. -> It was hell.
shes late -> she is late
hes late -> hes late
TXT
"$place/v/bin/python" "$place/try.py" 2> /dev/null | tee "$place/seen"
diff "$place/expected" "$place/seen"
