# Sourced by scripts that run many steps: it names each step, times it, and ends at the first one that fails.
#
#   source scripts/steps.sh "$@"     a name among the arguments is the step to begin with
#   step "Lint" scripts/lint.sh      runs the command, unless the steps to run begin later
#   begin "Apple" scripts/apple.py   the same, beside the steps that follow, which leave a processor idle
#   end_begun                        waits for all that were begun, and shows what they printed
#   finish                           prints how long each step took, and what was left out
#
# A step that has to leave something out calls scripts/left-out.sh, so that the last lines say so.

steps_from=${1:-}
steps_file=$(mktemp)
# Scripts that call each other write to one list.
export APOLLO_LEFT_OUT=${APOLLO_LEFT_OUT:-$(mktemp)}
# Steps that run beside others: their names, and their processes by name.
begun=()
declare -A begun_pids=()
trap 'kill "${begun_pids[@]}" 2> /dev/null || true; rm -f "$steps_file" "$steps_file".*' EXIT

# Sets `cpu` to the seconds of the processor that the commands have taken so far. (In a subshell it would be its own.)
_cpu() {
  times > "$steps_file.times"
  cpu=$(tail -1 "$steps_file.times" | awk '{
    for (i = 1; i <= 2; i++) { split($i, parts, /[ms]/); sum += parts[1] * 60 + parts[2] }
    printf "%d", sum }')
}

_table() {
  printf '\n\033[1m%9s %9s   %s\033[0m\n' "time" "CPU time" "step"
  awk -F'\t' 'function minutes(s) { return sprintf("%d:%02d", s / 60, s % 60) }
    { printf "%9s %9s   %s\n", minutes($1), minutes($2), $3; time += $1; cpu += $2 }
    END { printf "%9s %9s   all\n", minutes(time), minutes(cpu) }' "$steps_file"
}

step() {
  local name=$1 start cpu before status=0 errors reader
  shift
  if [ -n "$steps_from" ]; then
    [ "$steps_from" = "$name" ] || return 0
    steps_from=
  fi
  printf '\n\033[1m== %s\033[0m\n' "$name"
  _cpu
  start=$SECONDS before=$cpu
  exec {errors}> >(tee "$steps_file.errors" >&2)
  reader=$!
  "$@" 2>&"$errors" || status=$?
  exec {errors}>&-
  _cpu
  printf '%d\t%d\t%s\n' $((SECONDS - start)) $((cpu - before)) "$name" >> "$steps_file"
  [ "$status" -ne 0 ] || return 0
  _table
  # What failed stands at the end, where one looks first.
  printf '\n\033[1m== Failed: %s\033[0m\n' "$name"
  if [ -s "${APOLLO_FAILURES:-}" ]; then
    cat "$APOLLO_FAILURES"
  else
    wait "$reader" || true
    tail -20 "$steps_file.errors"
  fi
  exit "$status"
}

# A step that runs beside others: `step` shows it when it has ended.
begin() {
  local name=$1
  if [ -n "$steps_from" ]; then
    [ "$steps_from" = "$name" ] || return 0
    steps_from=
  fi
  shift
  "$@" > "$steps_file.$name" 2>&1 &
  begun+=("$name")
  begun_pids[$name]=$!
  printf '\n\033[1m== %s (beside what follows)\033[0m\n' "$name"
}

end_begun() {
  local name
  for name in ${begun[@]+"${begun[@]}"}; do step "$name" _end_begun "$name"; done
  begun=()
}

_end_begun() {
  local status=0
  wait "${begun_pids[$1]}" || status=$?
  unset "begun_pids[$1]"
  if [ "$status" -eq 0 ]; then cat "$steps_file.$1"; else cat "$steps_file.$1" >&2; fi
  return "$status"
}

finish() {
  if [ -n "$steps_from" ]; then
    echo "There is no step \"$steps_from\"." >&2
    exit 2
  fi
  _table
  [ ! -s "$APOLLO_LEFT_OUT" ] || printf '\nLeft out: %s.\n' "$(sort -u "$APOLLO_LEFT_OUT" | paste -sd';' | sed 's/;/; /g')"
}
