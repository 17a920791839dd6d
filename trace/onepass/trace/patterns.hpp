// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

namespace onepass::trace {

/// What a View without a label is called.
inline std::string const no_label = "(no label)";

/// Whether a pattern is that of a name: `*` is any text, `?` any letter, and `\` before one of these takes it as it is;
/// "(no label)" is the empty name.
bool fits(std::string const& pattern, std::string const& name);

}  // namespace onepass::trace
