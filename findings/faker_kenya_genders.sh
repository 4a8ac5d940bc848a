#!/usr/bin/env bash
# Faker 40.63.0 gives some names of Kenya and of the Zulu under the other gender.
#
# Guess: `Faker("en_KE").first_name_male()` gives names of men; the names under which the Kikuyu clans know
#   their nine founding daughters (Wanjiru, Wambui, Wanjiku, ...) stand among those of women, and Zulu
#   names of men (Bhekisisa, Dumisani) among those of men.
# Behaviour: it is the other way round for the names below, so whoever draws names by gender from these
#   locales (counterfactual pairs, name perturbation for robustness tests) writes "he" beside Wanjiku.
# Versions: Python 3.11, Faker 40.63.0.
# Output seen:
#   en_KE Wanjiru, a name of women: listed under men
#   en_KE Wambui, a name of women: listed under men
#   en_KE Wanjiku, a name of women: listed under men
#   en_KE Njeri, a name of women: listed under men
#   en_KE Nyambura, a name of women: listed under men
#   en_KE Wangari, a name of women: listed under men
#   en_KE Wangui, a name of women: listed under men
#   zu_ZA Bhekisisa, a name of men: listed under women
#   zu_ZA Dumisani, a name of men: listed under women
set -euo pipefail
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
python3 -m venv "$place/v"
"$place/v/bin/pip" install -q faker==40.63.0
cat > "$place/try.py" <<'PY'
from importlib import import_module

for locale, gender, names in (
    ("en_KE", "women", "Wanjiru Wambui Wanjiku Njeri Nyambura Wangari Wangui"),
    ("zu_ZA", "men", "Bhekisisa Dumisani"),
):
    provider = import_module(f"faker.providers.person.{locale}").Provider
    lists = {"men": provider.first_names_male, "women": provider.first_names_female}
    for name in names.split():
        found = [sex for sex, listed in lists.items() if name in listed]
        print(f"{locale} {name}, a name of {gender}: listed under {' and '.join(found) or 'none'}")
PY
cat > "$place/expected" <<'TXT'
en_KE Wanjiru, a name of women: listed under men
en_KE Wambui, a name of women: listed under men
en_KE Wanjiku, a name of women: listed under men
en_KE Njeri, a name of women: listed under men
en_KE Nyambura, a name of women: listed under men
en_KE Wangari, a name of women: listed under men
en_KE Wangui, a name of women: listed under men
zu_ZA Bhekisisa, a name of men: listed under women
zu_ZA Dumisani, a name of men: listed under women
TXT
"$place/v/bin/python" "$place/try.py" | tee "$place/seen"
diff "$place/expected" "$place/seen"
