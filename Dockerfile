# The KRM function as a container. kustomize runs it without arguments, without network and as nobody:
#   docker run --rm -i --network none --user nobody --security-opt=no-new-privileges IMAGE
# so that the entrypoint is in function mode, and needs neither files, nor a home, nor the user of the image.
ARG GO_VERSION=1.26
ARG BASE=gcr.io/distroless/static:nonroot

FROM golang:${GO_VERSION} AS build
WORKDIR /src
COPY go.mod go.sum ./
RUN go mod download
COPY . .
ARG VERSION=
RUN CGO_ENABLED=0 make build VERSION="${VERSION}"

FROM ${BASE}
COPY --from=build /src/bin/sylva-prepull /sylva-prepull
USER 65532:65532
ENTRYPOINT ["/sylva-prepull", "fn"]
