"""The longitude-latitude C-grid: where values sit, and the lengths and areas around them.

Cell (j, i) has the height in its middle, u on its western and v on its southern edge; the vorticity sits in its
south-western corner. Southern edges of the first row are the south pole, where v is zero.

      corner --- v --- corner       lat_v
        |                |
        u     height     u          lat
        |                |
      corner --- v --- corner       lat_v
      lon_u     lon     lon_u
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

RADIUS_M = 6.37122e6
ROTATION_1_S = 7.292e-5
GRAVITY_M_S2 = 9.80616


class Axes:
    """Coordinates of the whole sphere, in degrees. The poles are no part of lat_v."""

    def __init__(self, ny: int, nx: int) -> None:
        self.lat = -90 + (np.arange(ny) + 0.5) * (180 / ny)
        self.lat_v = -90 + np.arange(1, ny) * (180 / ny)
        self.lon = (np.arange(nx) + 0.5) * (360 / nx)
        self.lon_u = np.arange(nx) * (360 / nx)


class Metric:
    """Lengths (m) and areas (m2) around the rows `first` to `last` - 1, with one more row on either side. They are
    columns, as nothing depends on longitude.

    Functions of the latitude are taken of all rows and then cut, because NumPy's may round differently in arrays of
    other lengths, and results shall not depend on the number of ranks.
    """

    def __init__(self, ny: int, nx: int, first: int, last: int) -> None:
        def own(rows: Array) -> Array:
            """Of rows -1 to ny."""
            return rows[first : last + 2, np.newaxis]

        axes = Axes(ny, nx)
        middle = np.radians(np.pad(axes.lat, 1, mode="edge"))
        south = np.radians(np.concatenate(([-90.0, -90.0], axes.lat_v, [90.0])))
        sine_of_middle = np.concatenate(([-1.0], np.sin(middle[1:-1]), [1.0]))
        sine_of_south = np.concatenate((np.sin(south), [1.0]))
        parallel = np.cos(south)
        parallel[[0, 1, -1]] = 0.0  # exactly, so that nothing flows over the poles
        dlon, self.dy = 2 * np.pi / nx, RADIUS_M * np.pi / ny
        square = RADIUS_M**2 * dlon
        area = square * np.diff(sine_of_south)
        area[[0, -1]] = area[[1, -2]]  # beyond the poles: any number that can be divided by
        corner = square * np.diff(np.concatenate(([-2.0], sine_of_middle)))
        corner[0] = corner[1]

        self.dx_u = own(RADIUS_M * dlon * np.cos(middle))
        self.dx_v = own(RADIUS_M * dlon * parallel)
        self.area = own(area)
        self.area_of_corner = own(corner)
        self.coriolis = own(2 * ROTATION_1_S * np.sin(south))
        self.is_open = own((parallel > 0).astype(np.float64))  # 0 where the southern edge is a pole
        self.lat = np.degrees(middle[first + 1 : last + 1])
