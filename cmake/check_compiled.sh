#!/bin/sh
# check_compiled.sh: in compiled mode each definition exists once: every .ipp under include/ is reached, through the
# .ipp files that it includes, from exactly one file of src/compiled/. Those that a header includes in both modes
# (constexpr code) are not definitions in this sense.
set -u
cd "$(dirname "$0")/.." || exit 1
{ find include -name '*.hpp'; find include -name '*.ipp'; find src/compiled -name '*.cpp'; } | sort | awk '
  { files[++n] = $0 }
  END {
    for (i = 1; i <= n; i++) {
      file = files[i]; conditional = 0
      while ((getline text < file) > 0) {
        if (text ~ /^#[ ]*if.*TENON_HEADER_ONLY/) conditional = 1
        else if (text ~ /^#[ ]*endif/) conditional = 0
        if (text !~ /^[ ]*#[ ]*include[ ]*<tenon\/.*[.]ipp>/) continue
        sub(/^[^<]*</, "", text); sub(/>.*/, "", text); text = "include/" text
        if (file ~ /[.]hpp$/) { if (!conditional) always[text] = 1 }
        else includes[file] = includes[file] " " text
      }
      close(file)
    }
    for (i = 1; i <= n; i++) {
      if (files[i] !~ /^src/) continue
      split("", seen); count = split(includes[files[i]], queue, " ")
      for (k = 1; k <= count; k++) {
        if (queue[k] in seen) continue
        seen[queue[k]] = 1; reached[queue[k]] = reached[queue[k]] " " files[i]
        more = split(includes[queue[k]], next_ones, " ")
        for (j = 1; j <= more; j++) queue[++count] = next_ones[j]
      }
    }
    for (i = 1; i <= n; i++) {
      if (files[i] !~ /[.]ipp$/ || files[i] in always) continue
      times = split(reached[files[i]], where, " ")
      if (times == 1) continue
      print files[i] ": compiled " times " times" (times ? ":" reached[files[i]] : ": include it in a file of src/compiled")
      bad = 1
    }
    if (!bad) print "each definition is compiled once"
    exit bad
  }'
