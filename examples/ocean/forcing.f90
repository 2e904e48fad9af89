! Analytic forcing and climatology, functions of latitude (degrees) and depth (m) alone.
module forcing
  use, intrinsic :: iso_fortran_env, only: real64
  use grid, only: pi
  implicit none
  private
  public :: zonal_stress, climatology

  real(real64), parameter :: rad = pi / 180.0_real64

contains

  ! Easterly trades, westerlies with their maximum near 45°, weak polar easterlies; shape only, amplitude 1.
  elemental real(real64) function zonal_stress(lat)
    real(real64), intent(in) :: lat
    zonal_stress = -cos(4.0_real64 * rad * lat) * cos(rad * lat)
  end function zonal_stress

  ! Temperature (degC, tracer 1) or salinity (g kg-1, tracer 2). The surface decays into uniform water below.
  elemental real(real64) function climatology(tracer, lat, depth)
    integer, intent(in) :: tracer
    real(real64), intent(in) :: lat, depth
    real(real64) :: surface, decay
    decay = exp(-depth / 350.0_real64)
    if (tracer == 1) then
      surface = -1.6_real64 + 30.0_real64 * exp(-(abs(lat) / 37.0_real64)**2.4_real64)
      climatology = 2.5_real64 + (surface - 2.5_real64) * decay
    else
      surface = 34.6_real64 + 1.9_real64 * exp(-((abs(lat) - 25.0_real64) / 13.0_real64)**2) &
        - 1.6_real64 * exp(-((abs(lat) - 75.0_real64) / 16.0_real64)**2)
      climatology = 34.7_real64 + (surface - 34.7_real64) * decay
    end if
  end function climatology

end module forcing
