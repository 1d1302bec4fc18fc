import numpy as np
from scipy.interpolate import RectBivariateSpline
lon = np.linspace(0, 10, 21)
lat = np.linspace(40, 50, 11)
LON, LAT = np.meshgrid(lon, lat)
field = np.sin(LON) * np.cos(LAT)
spl = RectBivariateSpline(lat, lon, field)
print(spl(45.5, 5.5))
