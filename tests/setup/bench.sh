# Runs the benchmarks beside their peer, in a set-up of its own: bench.sh <python> <folder> [args]
set -euo pipefail
python=$1 folder=$2
shift 2
needs=tests/benchmarks/requirements.txt

if [ ! -f "$folder/.made" ] || [ pyproject.toml -nt "$folder/.made" ] ||
    [ "$needs" -nt "$folder/.made" ] || [ constraints.txt -nt "$folder/.made" ]; then
    echo "set-up: benchmarks"
    bash tests/setup/venv.sh "$python" "$folder"
    pip=("$folder/bin/python" -m pip --disable-pip-version-check install -qq)
    # The peer is pinned by its own file; what both share may differ from constraints.txt.
    "${pip[@]}" --constraint constraints.txt hatchling editables
    "${pip[@]}" --no-build-isolation --editable . --requirement "$needs"
    touch "$folder/.made"
fi
exec "$folder/bin/python" -m tests.benchmarks "$@"
