// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/engine/thread_words.hpp>

namespace onepass::ONEPASS_ABI::backends::host {

using shared_words = thread_words;
using shared_board = board<shared_words>;

}  // namespace onepass::ONEPASS_ABI::backends::host
