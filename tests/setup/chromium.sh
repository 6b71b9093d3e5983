# Brings Chromium where this is allowed. Where it is not, the browser tests themselves fail and
# say so, hence this script never does.
set -uo pipefail

if [ -n "${CHROMIUM:-}" ] || command -v chromium >/dev/null; then
    exit 0
fi

as_root=()
if [ "$(id -u)" -ne 0 ]; then
    if ! sudo -n true 2>/dev/null; then
        echo "set-up: no Chromium, and no right to install it" >&2
        exit 0
    fi
    as_root=(sudo -n)
fi
if ! command -v apt-get >/dev/null; then
    echo "set-up: no Chromium, and no apt-get to install it" >&2
    exit 0
fi

echo "set-up: Chromium"
log=$(mktemp)
if ! {
    "${as_root[@]}" apt-get update -q &&
        "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
            apt-get install -y -q --no-install-recommends chromium fonts-dejavu-core
} >"$log" 2>&1; then
    echo "set-up: apt-get could not install Chromium; its last lines:" >&2
    tail -n 5 "$log" >&2
fi
rm -f "$log"
exit 0
