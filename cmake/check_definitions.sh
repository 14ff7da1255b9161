#!/bin/sh
# check_definitions.sh: each definition stands in a program once: every .ipp under include/ is reached, through the .ipp files
# that it includes, from exactly one file of include/tenon/definitions/, and every part of these is in a header for users.
set -u
cd "$(dirname "$0")/.." || exit 1
{ find include -name '*.ipp'; find include/tenon/definitions* -name '*.hpp'; } | sort | awk '
  { files[++n] = $0 }
  END {
    for (i = 1; i <= n; i++) {
      file = files[i]
      while ((getline text < file) > 0) {
        if (text !~ /^[ ]*#[ ]*include[ ]*<tenon\//) continue
        sub(/^[^<]*</, "", text); sub(/>.*/, "", text); text = "include/" text
        if (text ~ /[.]ipp$/) includes[file] = includes[file] " " text
        if (text ~ /\/parts\//) offered[text] = 1
      }
      close(file)
    }
    for (i = 1; i <= n; i++) {
      if (files[i] !~ /[.]hpp$/) continue
      if (files[i] ~ /\/parts\// && !(files[i] in offered)) { print files[i] ": no header for users includes it"; bad = 1 }
      split("", seen); count = split(includes[files[i]], queue, " ")
      for (k = 1; k <= count; k++) {
        if (queue[k] in seen) continue
        seen[queue[k]] = 1; reached[queue[k]] = reached[queue[k]] " " files[i]
        more = split(includes[queue[k]], next_ones, " ")
        for (j = 1; j <= more; j++) queue[++count] = next_ones[j]
      }
    }
    for (i = 1; i <= n; i++) {
      if (files[i] !~ /[.]ipp$/) continue
      times = split(reached[files[i]], where, " ")
      if (times == 1) continue
      print files[i] ": defined " times " times" (times ? ":" reached[files[i]] : ": include it in a file of include/tenon/definitions/parts")
      bad = 1
    }
    if (!bad) print "each definition stands in a program once"
    exit bad
  }'
