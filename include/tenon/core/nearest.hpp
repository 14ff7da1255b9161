/// @file nearest: the names that a misspelled one may have meant, for the hints of errors.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tenon {

/// How many letters must be added, removed or exchanged to make one name the other (Levenshtein). O(a * b).
inline size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<size_t> row(b.size() + 1);
  for (size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (size_t i = 1; i <= a.size(); ++i) {
    size_t diagonal = row[0];
    row[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      const size_t above = row[j];
      row[j] = std::min({above + 1, row[j - 1] + 1, diagonal + (a[i - 1] != b[j - 1])});
      diagonal = above;
    }
  }
  return row[b.size()];
}

/// "did you mean 'cpu'?", or the whole list when nothing is near. Upper and lower case are alike.
inline std::string nearest(std::string_view name, const std::vector<std::string>& known) {
  const auto lower = [](std::string_view s) {
    std::string l(s);
    for (char& c : l) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    return l;
  };
  std::vector<std::pair<size_t, std::string>> near;
  for (const std::string& k : known) {
    const size_t d = edit_distance(lower(name), lower(k));
    if (d <= std::max<size_t>(2, name.size() / 3) || (!name.empty() && k.find(name) != std::string::npos))
      near.emplace_back(d, k);
  }
  std::sort(near.begin(), near.end());
  if (near.size() > 3) near.resize(3);
  std::string s;
  if (near.empty()) {
    for (const std::string& k : known) s += (s.empty() ? "there are: " : ", ") + k;
    return s;
  }
  for (const auto& [d, k] : near) s += (s.empty() ? "did you mean '" : " or '") + k + "'";
  return s + "?";
}

}  // namespace tenon
