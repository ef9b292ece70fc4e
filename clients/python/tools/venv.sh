# Sourced by generate.sh and ci.sh: makes a virtual environment with the pinned tools, under target/ and
# nowhere else, and says where it is in $venv.
here=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
root=$(cd "$here/../.." && pwd)
venv="$root/target/clients/python/venv"

python_tools() {
  local wanted
  # A folder that was copied from elsewhere has a python that does not start, or starts the wrong one.
  if [[ "$("$venv/bin/python" -c 'import sys; print(sys.prefix)' 2>/dev/null)" != "$venv" ]]; then
    rm -rf "$venv"
    "${ALAMEIN_PYTHON3:-python3}" -m venv "$venv"
  fi
  wanted=$(cksum <"$here/requirements-dev.txt")
  [[ "$(cat "$venv/wanted" 2>/dev/null)" == "$wanted" ]] && return
  "$venv/bin/python" -m pip install --quiet --disable-pip-version-check --retries 5 \
    --requirement "$here/requirements-dev.txt"
  echo "$wanted" >"$venv/wanted"
}
