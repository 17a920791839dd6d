# SPDX-License-Identifier: Apache-2.0
# Every version, source and hash that the build accepts or fetches, in one place.
set(ONEPASS_KOKKOS_RANGE 4.7...<6)
set(ONEPASS_KOKKOS_PIN 5.0.2)
set(ONEPASS_KOKKOS_REPOSITORY https://github.com/kokkos/kokkos)
set(ONEPASS_KOKKOS_URL ${ONEPASS_KOKKOS_REPOSITORY}/releases/download/5.0.2/kokkos-5.0.2.tar.gz)
set(ONEPASS_KOKKOS_HASH SHA256=188817bb452ca805ee8701f1c5adbbb4fb83dc8d1c50624566a18a719ba0fa5e)

set(ONEPASS_HIGHWAY_MINIMUM 1.2)
set(ONEPASS_XXHASH_MINIMUM 0.8)
set(ONEPASS_MPI_MINIMUM 3)

set(ONEPASS_GTEST_URL https://github.com/google/googletest/archive/refs/tags/v1.14.0.tar.gz)
set(ONEPASS_GTEST_HASH SHA256=8ad598c73ad796e0d8280b082cebd82a630d73e73cd3c70057938a6501bba5d7)
set(ONEPASS_BENCHMARK_URL https://github.com/google/benchmark/archive/refs/tags/v1.8.3.tar.gz)
set(ONEPASS_BENCHMARK_HASH SHA256=6bc180a57d23d4d9515519f92b0c83d61b05b5bab188961f36ac7b06b0d9e9ce)
set(ONEPASS_CLI11_URL https://github.com/CLIUtils/CLI11/archive/refs/tags/v2.3.2.tar.gz)
set(ONEPASS_CLI11_HASH SHA256=aac0ab42108131ac5d3344a9db0fdf25c4db652296641955720a4fbe52334e22)
set(ONEPASS_NLOHMANN_JSON_URL https://github.com/nlohmann/json/releases/download/v3.11.3/json.tar.xz)
set(ONEPASS_NLOHMANN_JSON_HASH SHA256=d6c65aca6b1ed68e7a182f4757257b107ae403032760ed6ef121c9d55e81757d)
