// SPDX-License-Identifier: Apache-2.0
// The packed format's frames, with every kind of item, from and into memory of the device.
#include <onepass/packed/frame.hpp>

template class onepass::packed::frame_codec<Kokkos::Cuda>;
