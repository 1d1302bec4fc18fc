# shapecheck without the libraries that it checks:
#   docker build --tag shapecheck .
#   docker run --rm --volume "$PWD:/code:ro" shapecheck src/
FROM python:3.12-slim AS build
WORKDIR /source
COPY . .
RUN python -m venv /opt/shapecheck && /opt/shapecheck/bin/pip install --no-cache-dir .

FROM python:3.12-slim
COPY --from=build /opt/shapecheck /opt/shapecheck
RUN useradd --create-home --uid 1000 shapecheck
USER 1000
ENV PATH=/opt/shapecheck/bin:$PATH
WORKDIR /code
ENTRYPOINT ["shapecheck"]
