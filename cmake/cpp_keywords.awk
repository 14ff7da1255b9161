# cpp_keywords.awk: words of C++ that no member can be named by: keyword[word]. Stands before near_names.awk and
# slip_names.awk.
BEGIN {
  n = split("and auto bool break case catch char class const delete do else enum for goto if int long new not or " \
            "register requires short signed struct switch this throw try union using void while xor", words_of_cpp, " ")
  for (i = 1; i <= n; ++i) keyword[words_of_cpp[i]] = 1
}
