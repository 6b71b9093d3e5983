# Writes constraints.txt: the versions that a fresh set-up gets today. constraints.sh <python>
set -euo pipefail
python=$1 folder=.venv-fresh

bash tests/setup/venv.sh "$python" "$folder"
"$folder/bin/python" -m pip --disable-pip-version-check install -qq hatchling editables
"$folder/bin/python" -m pip --disable-pip-version-check install -qq --no-build-isolation \
    --editable '.[lab,wasm,test]'
{
    echo "# Versions the set-up installs, so that tomorrow's run equals today's: make constraints"
    "$folder/bin/python" -m pip --disable-pip-version-check freeze --exclude-editable |
        grep -E '^[A-Za-z0-9._-]+==[^ ]+$' | LC_ALL=C sort --ignore-case
} >constraints.txt.new
mv constraints.txt.new constraints.txt
rm -rf "$folder"
echo "constraints.txt: $(grep -c == constraints.txt) packages"
