#!/bin/sh
# check_completion.sh TENON bash|zsh|fish|page: the script for a shell is read by that shell, and completes what it should,
# as its user sees it; the manual page is read by groff without a warning.
set -u
tenon=$1 part=$2
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT
fail() { echo "$1"; exit 1; }
needs() { command -v "$1" > /dev/null || { echo "SKIPPED: there is no $1 (Debian: $2)"; exit 77; }; }

if [ "$part" = page ]; then
  "$tenon" man > "$scratch/page" || fail "tenon man"
  grep -qxF 'tenon \- compiles tensor programs: an ONNX model, or a module as text, to native code, through typed phases.' "$scratch/page" || fail "the manual page's name"
  for word in reduce compare '\-\-passes' '\-\-target'; do
    grep -qF -- "$word" "$scratch/page" || fail "the manual page lacks $word"
  done
  needs groff groff-base
  groff -man -ww -Tutf8 "$scratch/page" 2>&1 > /dev/null | grep -v 'cannot adjust\|cannot break' | head -5 > "$scratch/warnings"
  [ -s "$scratch/warnings" ] && { cat "$scratch/warnings"; fail "the manual page"; }
  echo "the command line has a page"
  exit 0
fi

"$tenon" completion "$part" > "$scratch/script" || fail "tenon completion $part"
needs "$part" "$part"
"$part" -n "$scratch/script" || fail "$part does not read its script"
case $part in
  bash)
    offered() {
      bash -c '. "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _tenon; echo "${COMPREPLY[*]}"' bash "$scratch/script" "$@"
    }
    commands=$(offered tenon comp) options=$(offered tenon opt --pass) targets=$(offered tenon run --target '') ;;
  fish)  # which says what it would offer
    offered() {
      fish --no-config -c 'source $argv[1]; complete -C $argv[2]' "$scratch/script" "$1" | cut -f1 | tr '\n' ' ' | sed 's/ $//'
    }
    commands=$(offered 'tenon comp') options=$(offered 'tenon opt --pass') targets=$(offered 'tenon run --target ') ;;
  zsh)  # which completes on a terminal only: what stands on the line behind the tab is what a function `tenon` is called with
    mkdir "$scratch/zsh.d" && cp "$scratch/script" "$scratch/zsh.d/_tenon"
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
    echo "zsh completes the command line"
    exit 0 ;;
esac
[ "$commands" = "compare completion" ] || fail "$part: commands: $commands"
[ "$options" = --passes ] || fail "$part: options: $options"
case " $targets " in *" interpreter "*) ;; *) fail "$part: targets: $targets" ;; esac
echo "$part completes the command line"
