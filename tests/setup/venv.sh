# Makes a virtual environment, or says what the machine lacks: venv.sh <python> <folder>
set -euo pipefail
python=${1:-} folder=$2

if [ -z "$python" ] || ! "$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))'; then
    echo "set-up: Python 3.11 or newer is needed; install it, or say where it is: make PYTHON=..." >&2
    exit 1
fi
rm -rf "$folder"
if ! "$python" -m venv "$folder"; then
    echo "set-up: '$python -m venv' failed; on Debian the package python3.11-venv brings it" >&2
    exit 1
fi
