import numpy as np
from scipy.interpolate import RectBivariateSpline
lon = np.linspace(0, 10, 21)
lat = np.linspace(40, 50, 11)
LON, LAT = np.meshgrid(lon, lat)
field = np.sin(LON) * np.cos(LAT)
spl = RectBivariateSpline(lon, lat, field)
print(spl(5.5, 45.5))
