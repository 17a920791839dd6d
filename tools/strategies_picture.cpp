// SPDX-License-Identifier: Apache-2.0
#include "commands.hpp"
#include "strategies.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <sstream>

namespace tools {

namespace {

/// The points of each contender: items, and items a second.
using curves = std::vector<std::pair<std::string, std::map<double, double>>>;

void add(curves& to, std::string const& name, double x, double y)
{
  auto at = std::find_if(to.begin(), to.end(), [&](auto const& c) { return c.first == name; });
  if (at == to.end()) at = to.insert(to.end(), {name, {}});
  at->second[x] = y;
}

std::string colour_of(std::size_t i) { return "hsl(" + std::to_string(i * 137 % 360) + " 70% 40%)"; }

/// Draws speed, from 0 up, against the logarithm of x; names beside the curves.
void panel(std::ostream& svg, double top, std::string const& title, std::string const& below, curves const& all)
{
  constexpr double left = 60, width = 480, height = 260;
  double low = 1e30, high = 0, most = 0;
  for (auto const& [name, points] : all)
    for (auto const& [x, y] : points)
      low = std::min(low, std::log2(x)), high = std::max(high, std::log2(x)), most = std::max(most, y);
  if (high <= low) high = low + 1;
  auto const place_x = [&](double x) { return left + width * (std::log2(x) - low) / (high - low); };
  auto const place_y = [&](double y) { return top + height * (1 - y / most); };

  svg << "<text x='" << left << "' y='" << top - 10 << "' font-weight='bold'>" << title << "</text>\n"
      << "<rect x='" << left << "' y='" << top << "' width='" << width << "' height='" << height
      << "' fill='none' stroke='#999'/>\n";
  for (int k = int(std::ceil(low)); k <= int(high); k += high - low > 8 ? 2 : 1)
    svg << "<text x='" << place_x(std::exp2(k)) << "' y='" << top + height + 15 << "' text-anchor='middle'>2^" << k
        << "</text>\n";
  for (int k = 0; k <= 4; ++k) {
    double const y = most * k / 4;
    char text[32];
    std::snprintf(text, sizeof text, "%.3g", y * 1e-9);
    svg << "<line x1='" << left << "' x2='" << left + width << "' y1='" << place_y(y) << "' y2='" << place_y(y)
        << "' stroke='#eee'/>\n"
        << "<text x='" << left - 5 << "' y='" << place_y(y) + 4 << "' text-anchor='end'>" << text << "</text>\n";
  }
  svg << "<text x='" << left + width / 2 << "' y='" << top + height + 32 << "' text-anchor='middle'>" << below
      << "; up: Gitems/s</text>\n";
  for (std::size_t i = 0; i < all.size(); ++i) {
    auto const colour = all[i].first == "copy" ? "black" : colour_of(i);
    svg << "<polyline fill='none' stroke='" << colour << "' stroke-width='" << (all[i].first == "onepass" ? 2.5 : 1.3)
        << "' points='";
    for (auto const& [x, y] : all[i].second) svg << place_x(x) << ',' << place_y(y) << ' ';
    svg << "'/>\n<text x='" << left + width + 15 << "' y='" << top + 10 + 15 * double(i) << "' fill='" << colour << "'>"
        << all[i].first << "</text>\n";
  }
}

}  // namespace

std::string drawing_of(contest const& all)
{
  curves sizes, tiles;
  for (auto const& t : all.races)
    add(sizes, t.network.empty() ? t.strategy : t.strategy + " / " + t.network, double(t.items),
        double(t.items) / t.seconds);
  for (auto const& t : all.by_tile) add(tiles, t.strategy, double(t.tile), double(t.items) / t.seconds);
  std::ostringstream svg;
  svg << "<svg xmlns='http://www.w3.org/2000/svg' width='860' height='720' font-family='sans-serif' "
         "font-size='11'>\n<rect width='100%' height='100%' fill='white'/>\n";
  panel(svg, 40, "Classic scans of " + all.type + " on " + all.space, "items", sizes);
  if (!tiles.empty()) panel(svg, 400, "Strategies whose tiles wait", "items of a tile", tiles);
  svg << "</svg>\n";
  return svg.str();
}

}  // namespace tools
