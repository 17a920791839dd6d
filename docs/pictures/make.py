#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Draws the pictures of docs/summed-area-tables.md: a scene with a depth map, what `onepass blur` makes of it, and its time
against the radius.

usage: docs/pictures/make.py <the onepass program>     needs numpy and matplotlib; writes beside itself
"""
import json
import pathlib
import subprocess
import sys

import matplotlib

matplotlib.use("Agg")
import matplotlib.image
import matplotlib.pyplot as plt
import numpy as np

here = pathlib.Path(__file__).parent


def scene(width, height):
    """Balls on a chequered floor: colours and, nearest 0 to farthest 1, depths."""
    x, y = np.meshgrid((np.arange(width) - width / 2) / height, (height / 2 - np.arange(height)) / height)
    ray = np.stack([x, y, np.ones_like(x)], -1)
    ray /= np.linalg.norm(ray, axis=-1, keepdims=True)
    far, light = 14.0, np.array([-0.5, 0.8, -0.4])
    light /= np.linalg.norm(light)
    t_floor = np.where(ray[..., 1] < -1e-3, -0.6 / np.minimum(ray[..., 1], -1e-3), far)
    at = ray * t_floor[..., None]
    light_field = (np.floor(at[..., 0] * 2) + np.floor(at[..., 2] * 2)) % 2 > 0
    colour = np.where(light_field[..., None], [0.92, 0.90, 0.84], [0.25, 0.28, 0.33])
    colour = np.where((t_floor >= far)[..., None], np.stack([0.55 + y * 0.3, 0.70 + y * 0.2, 0.9 + y * 0], -1), colour)
    depth = np.minimum(t_floor, far)
    balls = [(-0.9, -0.2, 2.0, 0.4), (0.1, -0.25, 3.0, 0.35), (0.95, -0.2, 4.2, 0.4), (2.2, -0.1, 6.5, 0.5), (-2.4, 0.0, 7.5, 0.6), (4.2, 0.1, 10.5, 0.7)]
    paints = [(0.85, 0.25, 0.2), (0.2, 0.55, 0.3), (0.2, 0.35, 0.8), (0.85, 0.65, 0.15), (0.55, 0.25, 0.6), (0.2, 0.6, 0.65)]
    for (cx, cy, cz, r), paint in zip(balls, paints):
        c = np.array([cx, cy, cz])
        b = ray @ c
        inside = b * b - c @ c + r * r
        t = b - np.sqrt(np.maximum(inside, 0))
        hit = (inside > 0) & (t < depth)
        normal = (ray * t[..., None] - c) / r
        shade = 0.25 + 0.75 * np.clip(normal @ light, 0, 1)
        shine = np.clip(2 * (normal @ light)[..., None] * normal - light, -1, 1)
        shade = shade[..., None] * np.array(paint) + np.clip(-(shine * ray).sum(-1), 0, 1)[..., None] ** 40
        colour = np.where(hit[..., None], shade, colour)
        depth = np.where(hit, t, depth)
    return np.clip(colour, 0, 1), np.clip((depth - 1.2) / (far / 2 - 1.2), 0, 1) ** 0.5


def main():
    onepass = sys.argv[1]
    colour, depth = (part.reshape(360, 2, 640, 2, -1).mean((1, 3)) for part in scene(1280, 720))
    photo, depths = here / "scene.png", here / "depth.png"
    matplotlib.image.imsave(photo, colour)
    matplotlib.image.imsave(depths, np.repeat(depth, 3, -1))
    for name, focus in (("near", 0.32), ("far", 0.75)):
        subprocess.run([onepass, "blur", photo, "--depth", depths, "--focus", str(focus), "--aperture", "12", "-o", here / f"{name}.png"], check=True)

    if "--no-times" in sys.argv:
        return
    big, (radii, times) = here / "big.png", ([], [])
    matplotlib.image.imsave(big, scene(3840, 2160)[0])
    for radius in (0, 1, 4, 16, 64, 256, 1024):
        best = 1e9
        for _ in range(5):
            told = subprocess.run([onepass, "blur", big, "--aperture", str(radius), "-o", here / "big_out.png", "--json"], check=True, capture_output=True, text=True)
            best = min(best, json.loads(told.stdout)["seconds"])
        radii.append(max(radius, 0.5))
        times.append(best * 1e3)
    for name in ("big.png", "big_out.png"):
        (here / name).unlink()
    figure, axes = plt.subplots(figsize=(6.4, 2.8), layout="constrained")
    axes.plot(radii, times, "o-")
    axes.set_xscale("log", base=2)
    axes.set_ylim(0, max(times) * 1.3)
    axes.set_xlabel("largest radius of a pixel's box (the leftmost is 0)")
    axes.set_ylabel("ms")
    axes.set_title("onepass blur of 3840 x 2160 RGB: three tables, three filters with a radius a pixel")
    axes.grid(alpha=0.3)
    figure.savefig(here / "blur_times.svg")


main()
