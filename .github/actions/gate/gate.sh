#!/usr/bin/env bash
# What the action runs, and other systems as well: `koab gate` with what GATE_… variables say. Its files are gate.xml and gate.md in the
# working folder. Ends with 0 for a pass, 4 for a fail, 5 for an inconclusive answer (0 with GATE_INCONCLUSIVE=pass), else as koab does.
set -uo pipefail

# Those of an earlier gate are no answer to this one.
rm -f gate.xml gate.md

words=()
if [ -n "${GATE_HOME:-}" ]; then words+=(--home "$GATE_HOME"); fi
words+=(gate)
for name in baseline model base-url baseline-model baseline-url judge-base-url pack levels seed metric margin alpha power max-attempts max-cost judge-again; do
  variable="GATE_$(printf '%s' "$name" | tr 'a-z-' 'A-Z_')"
  if [ -n "${!variable:-}" ]; then words+=("--$name" "${!variable}"); fi
done
read -ra judges <<<"${GATE_JUDGE_MODELS:-}"
if [ "${#judges[@]}" -gt 0 ]; then words+=(--judge-models "${judges[@]}"); fi

koab "${words[@]}" --junit gate.xml --markdown gate.md
code=$?

case $code in
  0) verdict=pass ;;
  4) verdict=fail ;;
  5) verdict=inconclusive ;;
  *) exit "$code" ;;
esac
if [ -n "${GITHUB_STEP_SUMMARY:-}" ]; then cat gate.md >>"$GITHUB_STEP_SUMMARY"; fi
if [ -n "${GITHUB_OUTPUT:-}" ]; then
  printf 'verdict=%s\njunit=%s\nmarkdown=%s\n' "$verdict" "$PWD/gate.xml" "$PWD/gate.md" >>"$GITHUB_OUTPUT"
fi
if [ "$verdict" = inconclusive ] && [ "${GATE_INCONCLUSIVE:-fail}" = pass ]; then exit 0; fi
exit "$code"
