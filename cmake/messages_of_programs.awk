# messages_of_programs.awk -v group=GROUP.cpp -v folder=FOLDER -v kind=gcc|clang: what a compiler says of a group of
# programs (tenon_group.cmake), told apart: FOLDER/NAME.txt gets what it says of NAME.cpp, as if that were compiled
# alone. Reads the messages from standard input, behind a line `program FILE` for each program.
#
# A message is an error or warning with the notes behind it and the lines in front that say where it was met. It is of
# the one program that it names. One that names none or several could be of any of these: nothing is written of them,
# and they are compiled alone. So are those of which nothing is said: what another program asked, too, is reported once.
function flush_message(   p, owners, owner) {
  if (message == "") return
  for (p in program)
    if (index(message, p)) { owners++; owner = p }
  for (p in program)
    if (owners != 1 && (owners == 0 || index(message, p))) doubtful[p] = 1
  if (owners == 1) {
    said[owner] = said[owner] message
    if (has_error) errors[owner]++
  }
  message = ""
  has_error = 0
}

/^program / && !begun { program[$2] = 1; next }
{ begun = 1 }
kind == "clang" && /^[0-9]+ (error|warning)s? (generated|and )/ { next }
{ gsub(/file_[0-9]+::/, "") }
/^In file included from |^ +from / { frames = frames $0 "\n"; next }
# The first line behind the includes that lead to its file.
frames != "" || ahead == "" {
  place = $0
  sub(/:.*/, "", place)
  if (place in program) frames = ""  # included by its group: alone, the compiler begins there
  else if (frames != "") frames_of[place] = frames
  # A compiler leaves them out where the message before was in the same file: of another program, perhaps.
  else if (/: (fatal )?error: |: In /) frames = frames_of[place]
  ahead = ahead frames
  frames = ""
}
/: In [a-z ]*(instantiation|substitution|function|constructor|destructor|member|lambda)|: At global scope:/ ||
/:  +(recursively )?(required|in .constexpr)/ {
  ahead = ahead $0 "\n"
  next
}
/: (fatal )?(error|warning): / {
  flush_message()
  has_error = / (fatal )?error: /
}
{
  message = message ahead $0 "\n"
  ahead = ""
}
END {
  message = message ahead
  flush_message()
  for (p in program) {
    if (p in doubtful || !(p in errors)) continue
    name = p
    sub(/^.*\//, "", name)
    sub(/[.]cpp$/, "", name)
    if (kind == "clang") said[p] = said[p] errors[p] " error" (errors[p] == 1 ? "" : "s") " generated.\n"
    printf "%s", said[p] > (folder "/" name ".txt")
  }
}
