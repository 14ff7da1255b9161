#!/bin/sh
# check_completion.sh TENON: the scripts for shells are read by those shells, where these are there, and complete what they
# should; the manual page is read by groff without a warning.
set -u
tenon=$1
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT
bad=0
fail() { echo "$1"; bad=1; }
for shell in bash zsh fish; do
  "$tenon" completion $shell > "$scratch/$shell" || fail "tenon completion $shell"
  command -v $shell > /dev/null || continue
  $shell -n "$scratch/$shell" || fail "$shell does not read its script"
done
completed() {
  bash -c '. "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _tenon; echo "${COMPREPLY[*]}"' bash "$scratch/bash" "$@"
}
if command -v bash > /dev/null; then
  [ "$(completed tenon comp)" = "compare completion" ] || fail "bash: commands"
  [ "$(completed tenon opt --pass)" = --passes ] || fail "bash: options"
  case " $(completed tenon run --target '') " in *" interpreter "*) ;; *) fail "bash: targets" ;; esac
fi
"$tenon" man > "$scratch/page" || fail "tenon man"
grep -qxF 'tenon \- compiles tensor programs: an ONNX model, or a module as text, to native code, through typed phases.' "$scratch/page" || fail "the manual page's name"
for word in reduce compare '\-\-passes' '\-\-target'; do
  grep -qF -- "$word" "$scratch/page" || fail "the manual page lacks $word"
done
if command -v groff > /dev/null; then
  groff -man -ww -Tutf8 "$scratch/page" 2>&1 > /dev/null | grep -v 'cannot adjust\|cannot break' | head -5 > "$scratch/warnings"
  [ -s "$scratch/warnings" ] && { cat "$scratch/warnings"; fail "the manual page"; }
fi
[ "$bad" = 0 ] && echo "shells complete the command line, and it has a page"
exit $bad
