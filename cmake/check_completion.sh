#!/bin/sh
# check_completion.sh TENON: the scripts for shells are read by those shells, where these are there, and complete what
# they should, each as its user sees it; the manual page is read by groff without a warning.
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
# fish says what it would offer.
if command -v fish > /dev/null; then
  offered() {
    fish --no-config -c 'source $argv[1]; complete -C $argv[2]' "$scratch/fish" "$1" | cut -f1 | tr '\n' ' '
  }
  [ "$(offered 'tenon comp')" = "compare completion " ] || fail "fish: commands: $(offered 'tenon comp')"
  [ "$(offered 'tenon opt --pass')" = "--passes " ] || fail "fish: options: $(offered 'tenon opt --pass')"
  case " $(offered 'tenon run --target ')" in *" interpreter "*) ;; *) fail "fish: targets" ;; esac
fi
# zsh completes on a terminal only: what stands on the line behind the tab is what a function `tenon` is called with.
if command -v zsh > /dev/null; then
  mkdir "$scratch/zsh.d" && cp "$scratch/zsh" "$scratch/zsh.d/_tenon"
  cat > "$scratch/typed.zsh" << 'END'
zmodload zsh/zpty
zpty shell "zsh -f -i"
zpty -w shell "PS1= PS2=; fpath=($1 \$fpath); autoload -Uz compinit; compinit -u -D"
zpty -w shell "tenon() { print -r -- \"called:\$*:\" }"
zpty -w shell "print -r -- read''y"
zpty -r -m shell line '*ready*' || exit 1
for typed in "${@[2,-1]}"; do
  zpty -w -n shell "tenon $typed"$'\t\n'
  zpty -r -m shell line '*called:*:*' || exit 1
  print -r -- "${${line##*called:}%%:*}"
done
zpty -d shell
END
  timeout 60 zsh -f "$scratch/typed.zsh" "$scratch/zsh.d" onnx-ta "opt --pass" "run --target inter" \
    > "$scratch/zsh.out" || fail "zsh: nothing is completed"
  sed 's/ *$//' "$scratch/zsh.out" | tr '\n' '|' | grep -qxF "onnx-table|opt --passes|run --target interpreter|" ||
    fail "zsh: $(cat "$scratch/zsh.out")"
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
