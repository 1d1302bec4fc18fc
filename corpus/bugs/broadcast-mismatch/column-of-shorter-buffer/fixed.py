import numpy as np

N_LEVELS = 48


def pressure_grid(levels, top=20.0, surface=1013.0):
    """Interfaces from the top of the air to the ground."""
    return np.linspace(top, surface, levels)


def layer_means(field):
    return 0.5 * (field[1:] + field[:-1])


def hydrostatic(pressure, temperature):
    """Thickness of the layers between the interfaces, in metres."""
    mean_temperature = layer_means(temperature)
    return 29.3 * mean_temperature * np.log(pressure[1:] / pressure[:-1])


class Column:
    NAMES = ("pressure", "temperature", "thickness")

    def __init__(self, levels):
        self.levels = levels
        self.data = np.zeros((levels, len(self.NAMES)))

    def put(self, name, values):
        self.data[:, self.NAMES.index(name)] = values

    def get(self, name):
        return self.data[:, self.NAMES.index(name)]


column = Column(N_LEVELS)
pressure = pressure_grid(N_LEVELS)
temperature = 288.0 - 65.0 * (1 - pressure / pressure[-1])
column.put("pressure", pressure)
column.put("temperature", temperature)
thickness = hydrostatic(pressure, temperature)
column.put("thickness", np.append(0.0, thickness))
print(column.get("thickness").sum())
