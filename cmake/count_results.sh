#!/bin/sh
# count_results.sh FAILED_STEPS JUNIT...: names what failed and what was skipped, and ends with
# "N passed, M failed, K skipped"; exits 1 when anything failed or nothing ran.
set -u
steps=$1; shift
cat "$@" < /dev/null | awk -v steps="$steps" '
  /<testcase / {
    name = status = $0
    sub(/.*<testcase name="/, "", name); sub(/".*/, "", name)
    sub(/.* status="/, "", status); sub(/".*/, "", status)
    last = name
    # ctest: run, fail, notrun (skipped, or its program is missing), disabled
    if (status == "run") passed++
    else if (status == "fail") { failed++; print "FAILED: " name }
    else waiting = 1
    next
  }
  waiting && /<skipped / {
    why = $0; sub(/.*message="/, "", why); sub(/".*/, "", why)
    if (why ~ /SKIP_RETURN_CODE|SKIP_REGULAR|Disabled/) { skipped++; reason[++n] = last }
    else { failed++; print "FAILED: " last ": " why }
    waiting = 0
  }
  END {
    for (i = 1; i <= n; i++) print "skipped: " reason[i]
    if (steps > 0) print steps " step(s) of the build failed"
    printf "%d passed, %d failed, %d skipped\n", passed, failed + steps, skipped
    exit failed + steps > 0 || passed == 0
  }'
